import { constants, getPriority, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL: low } = constants.priority
// Processes that a test starts inherit it.
if (getPriority() < low) setPriority(low)
