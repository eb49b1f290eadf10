import { accountRows } from './rows/account.ts'
import { dialingRows } from './rows/dialing.ts'
import { faxRows } from './rows/fax.ts'
import { furtherRows } from './rows/further.ts'
import { networkRows } from './rows/network.ts'

export const trunkSettings = [...accountRows, ...faxRows, ...dialingRows, ...networkRows, ...furtherRows] as const
