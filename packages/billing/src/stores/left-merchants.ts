import { dirname, join } from 'node:path'
import { Text, UnixMs } from '@quittance/domain'
import * as t from 'io-ts'
import { readListFile, replaceFile } from './list-file.ts'

const Left = t.strict({ merchantId: Text, to: Text, at: UnixMs })
/** A merchant that has left for the installation whose key has the fingerprint `to`. */
export type LeftMerchant = t.TypeOf<typeof Left>

/**
 * The merchants that have left this installation. Merchants leave while no other process has it open, so each process reads the
 * list once.
 */
export interface LeftMerchants {
  readonly all: () => Promise<ReadonlyArray<Gone>>
  readonly has: (merchantId: string) => Promise<boolean>
  /** Where a merchant has left for; null if it has not. */
  readonly leftFor: (merchantId: string) => string | null
  /** Resolves nothing until the file is on the disk. Throws if it cannot be written. */
  readonly add: (left: LeftMerchant) => void
}

type Gone = Pick<LeftMerchant, 'merchantId' | 'at'>

const List = t.readonlyArray(Left)

/**
 * By the log, and by a file beside the mark of the log, which no backup holds: an older log that is put back does not bring a
 * merchant back.
 */
export const leftMerchants = (markFile: string | null, inLog: () => Promise<ReadonlyArray<Gone>>): LeftMerchants => {
  const path = markFile === null ? null : join(dirname(markFile), 'left.json')
  const kept = (): ReadonlyArray<LeftMerchant> => (path === null ? [] : readListFile(path, List))
  let known: Promise<ReadonlyMap<string, Gone>> | null = null
  /** Those that leave while the log is read. */
  const added = new Map<string, Gone>()
  const read = async (): Promise<ReadonlyMap<string, Gone>> => {
    known ??= inLog().then((gone) => new Map([...kept(), ...gone].map((each) => [each.merchantId, each])))
    try {
      return await known
    } catch (cause) {
      known = null
      throw cause
    }
  }
  return {
    all: async () => [...new Map([...(await read()), ...added]).values()],
    has: async (merchantId) => added.has(merchantId) || (await read()).has(merchantId),
    leftFor: (merchantId) => kept().find((each) => each.merchantId === merchantId)?.to ?? null,
    add: (left) => {
      const others = kept().filter(({ merchantId }) => merchantId !== left.merchantId)
      if (path !== null) replaceFile(path, `${JSON.stringify(List.encode([...others, left]))}\n`)
      added.set(left.merchantId, left)
    },
  }
}
