import { LedgerSequence } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { reconcile } from '../../books/reconciliation/reconcile.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'

export const testnet = 'testnet' as const

/** A shop for each test of a suite, whose keys an operator changes. */
export const keyStage = () => {
  let front: StoreFront
  beforeEach(async () => {
    front = await openStoreFront()
  })
  afterEach(() => front.close())

  const settlement = () => ({ _tag: 'settlement' as const, merchantId: front.merchantId })
  /** Closes so many ledgers, with a step before and after each. */
  const pass = async (ledgers = 3): Promise<void> => {
    for (let count = 0; count < ledgers; count++) {
      await front.step()
      front.network.wait(5_000)
    }
    await front.step()
  }
  const show = (of: Parameters<StoreFront['billing']['accountKeys']['show']>[1] = settlement()) =>
    done(front.billing.accountKeys.show(testnet, of))
  const rotate = (of: Parameters<StoreFront['billing']['accountKeys']['rotate']>[1] = settlement()) =>
    done(front.billing.accountKeys.rotate(testnet, of))
  return {
    get front() {
      return front
    },
    /** The shop goes on from what was restored. */
    goesOnAs: (restored: StoreFront): void => {
      front = restored
    },
    settlement,
    pass,
    show,
    rotate,
    /** The keys of the settlement account, once it has another one. */
    rotated: async () => {
      await rotate()
      await pass()
      return present((await show())[0])
    },
    /** What the payer has of USDC. */
    held: async (): Promise<bigint> => {
      const { gateway, usdc } = front.network
      const [balance] = await done(gateway.balances([{ account: front.payer.account, assetId: usdc.assetId }]))
      return BigInt(balance?.held ?? 0n)
    },
    reconciled: () =>
      done(reconcile(front.services, testnet, { from: decoded(LedgerSequence, 1), to: null, merchantId: null })),
  }
}

export type KeyStage = ReturnType<typeof keyStage>
