import { dayMs, logInUse } from '@quittance/domain'
import { printVerifierKey } from '@quittance/transparency'
import { createBilling } from '../../../face/billing.ts'
import { done, present } from '../../../testing/outcomes.ts'
import { openStoreFront } from '../../../testing/store-front.ts'
import { units } from '../../../testing/wallets.ts'
import { cosignCheckpoint } from '../../transparency/cosign-checkpoint.ts'
import { testWitness, toTestWitnesses } from '../../transparency/testing/test-witness.ts'
import type { EvidenceKind } from '../format.ts'

/** A shop whose log is anchored on its ledger each day, and cosigned by a witness, whenever the test says so. */
export const openWitnessedShop = async () => {
  const front = await openStoreFront({}, (network) => ({ ...network, anchorEveryMs: dayMs }))
  const { platform, network } = front
  let logKeys: ReadonlyArray<string> = []
  const witness = testWitness('witness.example', 1, () => logKeys)
  const services = { ...platform.services, witnessKeys: [witness.key] }
  const billing = createBilling(services)
  const cosign = cosignCheckpoint(services, [witness], toTestWitnesses([witness]))

  const pass = async (ms: number): Promise<void> => {
    network.wait(ms)
    await front.step()
  }
  return {
    ...front,
    billing,
    witnessKey: printVerifierKey(witness.key),
    logKeys: () => logKeys,
    pass,
    /** Signs a checkpoint of the log as it is now, and has it cosigned. */
    checkpoint: async (): Promise<void> => {
      const note = await done(billing.transparency.sign)
      logKeys = present(logInUse({ logs: await done(billing.transparency.logs) })).vkeys
      await cosign.ask(note)
    },
    /** Puts the latest checkpoint on the ledger. */
    anchor: async (): Promise<void> => {
      await pass(dayMs)
      for (let ledgers = 0; ledgers < 4; ledgers++) await pass(5_000)
    },
    /** Sells a book that is paid at once; answers the payment. */
    paidSale: async (): Promise<string> => {
      const { id } = await front.sell()
      await front.pay(id, [units(10)])
      return (await front.payment(id)).id
    },
    evidence: (kind: EvidenceKind, id: string) => done(billing.evidence(front.scope, kind, id)),
  }
}

export type WitnessedShop = Awaited<ReturnType<typeof openWitnessedShop>>

/** Evidence about a payment of such a shop, which an anchor covers, and a witness. */
export const witnessedEvidence = async () => {
  const shop = await openWitnessedShop()
  const payment = await shop.paidSale()
  await shop.checkpoint()
  await shop.anchor()
  await shop.checkpoint()
  const text = await shop.evidence('payment', payment)
  await shop.close()
  return { text, key: present(shop.logKeys()[0]), witness: shop.witnessKey }
}
