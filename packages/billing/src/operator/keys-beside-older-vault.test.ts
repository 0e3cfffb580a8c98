import { acceptLog } from '../testing/accept-log.ts'
import { done, present, refused } from '../testing/outcomes.ts'
import { refundsIn } from '../testing/refunds.ts'
import { backUp, restore } from '../testing/restored.ts'
import { createWorker } from '../worker/worker.ts'
import { noteLackingKeys } from './lacking-keys.ts'
import { missingKeys } from './missing-keys.ts'
import { keyStage, testnet } from './testing/key-stage.ts'

const stage = keyStage()
const { pass, settlement, show, reconciled, rotate, rotated, held } = stage

describe('an older vault beside a rotated key', () => {
  it('signs nothing with a key without weight, and says which key is lacking', async () => {
    await refundsIn(stage.front).paid()
    const payment = await refundsIn(stage.front).paid()
    const backup = backUp(stage.front)
    await rotated()
    stage.goesOnAs(await restore(stage.front, backup, 'kept'))
    await pass(1)
    // The ledger shows a transaction of ours that the log does not know.
    expect(stage.front.billing.log.standing()).toMatchObject({ _tag: 'RolledBack' })
    await acceptLog(stage.front)
    const [shown] = await show()
    expect(shown).toMatchObject({ signs: null, isProven: true, rotation: { status: 'done' } })
    const findings = await done(stage.front.billing.doctor.examine({ wasmHash: '', readToml: null }))
    expect(findings).toContainEqual(expect.objectContaining({ code: 'no_key_signs', subject: stage.front.account }))
    const refund = await done(refundsIn(stage.front).request(payment))
    await pass(5)
    expect(await refundsIn(stage.front).refundNow(refund)).toMatchObject({ status: 'pending' })
    expect(stage.front.worker.troubles()).toContainEqual({
      _tag: 'CannotSign',
      account: stage.front.account,
      cause: 'no key of the vault has weight on the ledger',
    })
    const name = `rotated/testnet/${stage.front.account}/`
    expect(await noteLackingKeys(stage.front.services)).toContainEqual({
      name,
      environment: testnet,
      subject: stage.front.account,
    })
    expect(await missingKeys(stage.front.platform.log, stage.front.services.vault)).toHaveLength(1)
    expect(await refused(stage.front.billing.accountKeys.rotate(testnet, settlement()))).toEqual({
      _tag: 'KeyWithoutWeight',
      account: stage.front.account,
    })
    const statuses = (await (await stage.front.platform.shown()).ledgerTransactions.all()).map(({ row }) => row.class)
    expect(statuses).toEqual(['rotation'])
    expect(await reconciled()).toMatchObject({ isOk: true, unexplained: [], missing: [] })
  })

  it('recognises what the new key has paid since as paid', async () => {
    const payment = await refundsIn(stage.front).paid()
    const backup = backUp(stage.front)
    await rotated()
    await refundsIn(stage.front).ended(await done(refundsIn(stage.front).request(payment)))
    const before = await held()
    stage.goesOnAs(await restore(stage.front, backup, 'kept'))
    await pass(1)
    await acceptLog(stage.front)
    await pass()
    expect(await refundsIn(stage.front).paymentNow(payment)).toMatchObject({ refunded: true })
    expect((await held()) - before).toBe(0n)
    expect(await reconciled()).toMatchObject({ isOk: true, named: { refund: 1 }, unexplained: [], missing: [] })
  })

  it('never gives weight to a key that the vault lacks', async () => {
    await rotate()
    const to = present((await show())[0]?.rotation).to
    const { vault } = stage.front.services
    const services = {
      ...stage.front.services,
      vault: {
        ...vault,
        keysNamed: async (beginning: string) =>
          (await vault.keysNamed(beginning)).filter((key) => !key.startsWith('rotated/')),
      },
    }
    const worker = present(createWorker(services, testnet, () => undefined))
    for (let ledgers = 0; ledgers < 3; ledgers++) {
      await done(worker.step)
      stage.front.network.wait(5_000)
    }
    expect(worker.troubles()).toContainEqual({
      _tag: 'CannotSign',
      account: stage.front.account,
      cause: `the vault lacks ${to}, the key to rotate to`,
    })
    expect((await show())[0]).toMatchObject({ signs: stage.front.account, rotation: { status: 'waiting' } })
  })
})
