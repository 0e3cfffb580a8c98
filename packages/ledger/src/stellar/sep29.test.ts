import { stroops } from '@quittance/domain'
import { Account, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Memo } from '../incoming-payment.ts'
import { against, answering } from '../testing/against-node.ts'
import {
  nobody,
  payee,
  payer,
  right,
  type StartedSandbox,
  sandboxPassphrase,
  startSandbox,
} from '../testing/sandbox.ts'
import { checkMemo } from './sep29.ts'

const none: Memo = { _tag: 'none' }
const required = (account: string) => E.left({ _tag: 'MemoRequired', account })

describe('paying out', () => {
  let network: StartedSandbox
  beforeAll(async () => {
    network = await startSandbox()
  })
  afterAll(() => network.stop())

  /** Lets payee say what its account wants. */
  const setData = async (name: string, value: string | null) => {
    const view = right(await network.gateway.accountView(payee.accountId, [])())
    const transaction = new TransactionBuilder(new Account(payee.accountId, String(view?.accountSequence)), {
      fee: stroops(100n).toString(),
      networkPassphrase: sandboxPassphrase,
      timebounds: { minTime: 0, maxTime: 0 },
    })
      .addOperation(Operation.manageData({ name, value }))
      .build()
    transaction.sign(Keypair.fromSecret(payee.secret))
    await network.credited(transaction.toXdr())
  }
  const check = (muxedId: string | null, memo: Memo, account = payee.accountId) =>
    checkMemo(network.gateway)({ account, muxedId }, memo)()

  it('needs no memo unless the account says so', async () => {
    expect(await check(null, none)).toEqual(E.right(undefined))
    await setData('config.memo_require', '1')
    expect(await check(null, none)).toEqual(E.right(undefined))
    await setData('config.memo_required', '0')
    expect(await check(null, none)).toEqual(E.right(undefined))
  })
  it('needs one once it does, a muxed address excepted, until it says so no more', async () => {
    await setData('config.memo_required', '1')
    expect(await check(null, none)).toEqual(required(payee.accountId))
    expect(await check('0', none)).toEqual(E.right(undefined))
    expect(await check(null, { _tag: 'id', value: '0' })).toEqual(E.right(undefined))
    expect(await check(null, none, payer.accountId)).toEqual(E.right(undefined))
    await setData('config.memo_required', null)
    expect(await check(null, none)).toEqual(E.right(undefined))
  })
  it('to an account that does not exist needs none', async () =>
    expect(await check(null, none, nobody.accountId)).toEqual(E.right(undefined)))

  it('waits where the ledger cannot say', async () =>
    against(
      () => ({ status: 500, text: '' }),
      async (gateway) =>
        expect(await checkMemo(gateway)({ account: payee.accountId, muxedId: null }, none)()).toEqual(
          E.left({ _tag: 'LedgerUnreachable', cause: expect.any(String) }),
        ),
    ))
  it('asks nothing of the ledger where nothing can be missing', async () =>
    against(answering({ entries: [], latestLedger: 20 }), async (gateway, calls) => {
      await checkMemo(gateway)({ account: payee.accountId, muxedId: '1' }, none)()
      await checkMemo(gateway)({ account: payee.accountId, muxedId: null }, { _tag: 'text', value: '1' })()
      expect(calls).toEqual([])
      await checkMemo(gateway)({ account: payee.accountId, muxedId: null }, none)()
      expect(calls.map(({ method }) => method)).toEqual(['getLedgerEntries'])
    }))
})
