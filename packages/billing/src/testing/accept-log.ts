import { asText, minuteMs } from '@quittance/domain'
import { done } from './outcomes.ts'
import type { StoreFront } from './store-front.ts'

/**
 * A person accepts that the ledger holds what the log does not know, such as what a test has done with a key of ours. Then no
 * transaction from before can enter a ledger any more, and money goes out again.
 */
export const acceptLog = async ({
  billing,
  worker,
  network,
}: Pick<StoreFront, 'billing' | 'worker' | 'network'>): Promise<void> => {
  await done(worker.step)
  await done(billing.log.accept({ by: asText('Ada'), reason: asText('the disk died'), isForced: false }))
  network.wait(3 * minuteMs)
  await done(worker.step)
}
