import { asText } from '@quittance/domain'
import { present } from '../testing/outcomes.ts'
import { openTill, type Till } from '../testing/till.ts'
import { units } from '../testing/wallets.ts'

describe('outgoing money', () => {
  let till: Till
  beforeEach(async () => {
    till = await openTill()
  })
  afterEach(() => till.close())

  it('pays an intent once, and records its transaction before sending it', async () => {
    const { want, step, pass, payer, account, balanceOf } = till
    const before = { payer: await balanceOf(payer.account), shop: await balanceOf(account) }
    const id = await want(payer.account, units(3), { memo: asText('three back') })
    await step()
    const [transaction] = await till.transactions()
    const hash = present(transaction).id
    expect(await till.typesOf(`stellartx-${hash}`)).toEqual(['TransactionPrepared', 'TransactionReleased'])
    expect(await till.typesOf(`intent-${id}`)).toEqual(['IntentRecorded', 'IntentAttached'])
    await pass()
    await pass()
    expect(await till.typesOf(`stellartx-${hash}`)).toEqual([
      'TransactionPrepared',
      'TransactionReleased',
      'TransactionSucceeded',
      'TransactionClosed',
    ])
    expect(await till.typesOf(`intent-${id}`)).toEqual(['IntentRecorded', 'IntentAttached', 'IntentSettled'])
    expect(await balanceOf(payer.account)).toBe(before.payer + units(3))
    expect(await balanceOf(account)).toBe(before.shop - units(3))
    expect(till.worker.troubles()).toEqual([])
    expect(await till.intent(id)).toMatchObject({
      status: 'settled',
      end: { transactionHash: hash, operationIndex: 0 },
    })
  })

  it('sends intents in as few transactions as hold them, each from its own channel', async () => {
    const ids = await Promise.all(Array.from({ length: 150 }, () => till.want()))
    const before = await till.balanceOf(till.payer.account)
    await till.step()
    await till.pass()
    await till.pass()
    const transactions = await till.transactions()
    expect(transactions.map(({ row }) => row.intents.length).sort()).toEqual([100, 50])
    expect(new Set(transactions.map(({ row }) => row.sourceAccount)).size).toBe(2)
    for (const id of ids) expect(await till.intent(id)).toMatchObject({ status: 'settled' })
    expect(await till.balanceOf(till.payer.account)).toBe(before + units(150))
  })
})
