import { asText } from '@quittance/domain'
import { done } from './outcomes.ts'
import type { TestPlatform } from './platform.ts'

/** A person accepts that the ledger holds what the log does not know, such as what a test has done with a key of ours. */
export const acceptLog = async ({ billing, worker }: Pick<TestPlatform, 'billing' | 'worker'>): Promise<void> => {
  await done(worker.step)
  await done(billing.log.accept({ by: asText('Ada'), reason: asText('a test'), isForced: false }))
}
