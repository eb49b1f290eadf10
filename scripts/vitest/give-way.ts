import { getPriority, setPriority } from 'node:os'

// A little less than the process that started it. What a test starts inherits it.
setPriority(Math.min(getPriority(process.ppid) + 5, 19))
