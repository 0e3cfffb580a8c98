import { LedgerSequence } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { reconcile } from '../../../books/reconciliation/reconcile.ts'
import { acceptLog } from '../../../testing/accept-log.ts'
import { exceptionsIn } from '../../../testing/exceptions.ts'
import { beforeAppending } from '../../../testing/failing-stores.ts'
import { done, present } from '../../../testing/outcomes.ts'
import { type Backup, backUp, restore } from '../../../testing/restored.ts'
import { openStoreFront, type StoreFront } from '../../../testing/store-front.ts'
import { createWorker } from '../../../worker/worker.ts'

/** A shop for each test, whose log goes back to a copy while the ledger stays as it is. */
export const recoveryStage = () => {
  let front: StoreFront
  beforeEach(async () => {
    front = await openStoreFront()
  })
  afterEach(() => front.close())

  /** Lets ledgers close, and the worker see each. */
  const pass = async (ledgers = 4): Promise<void> => {
    for (let count = 0; count < ledgers; count++) {
      await front.step()
      front.network.wait(5_000)
    }
    await front.step()
  }
  const restoreTo = async (backup: Backup, wrapped?: Parameters<typeof restore>[3]): Promise<void> => {
    front = await restore(front, backup, 'lost', wrapped)
  }
  return {
    /** The shop as it is now: going back opens another one. */
    front: () => front,
    replace: (by: StoreFront): void => {
      front = by
    },
    pass,
    restoreTo,
    /** Restores a copy, and a person accepts the log as it is. */
    goBackTo: async (...to: Parameters<typeof restoreTo>): Promise<void> => {
      await restoreTo(...to)
      await pass(1)
      expect(front.billing.log.standing()).toMatchObject({
        _tag: 'RolledBack',
        reasons: [{ _tag: 'TransactionForgotten' }],
      })
      await acceptLog(front)
      await pass()
      expect(front.billing.log.standing()).toEqual({ _tag: 'Sound' })
    },
    /** A copy of the log from right before an intent is attached to the transaction that was prepared for it. */
    backUpBeforeAttaching: async (): Promise<Backup> => {
      const backups: Array<Backup> = []
      const keep = async () => void backups.push(backUp(front))
      const store = beforeAppending('IntentAttached', keep)(front.services.store)
      await done(present(createWorker({ ...front.services, store }, 'testnet', () => undefined)).step)
      return present(backups[0])
    },
    held: (account = front.payer.account) => exceptionsIn(front).held(account),
    reconciled: () =>
      done(reconcile(front.services, 'testnet', { from: decoded(LedgerSequence, 1), to: null, merchantId: null })),
  }
}
