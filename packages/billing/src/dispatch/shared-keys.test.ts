import { type AccountId, asText, ExceptionId, type IntentAction, type IntentDetails } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import { recordIntent } from '../features/outgoing/record-intent.ts'
import {
  channelAccounts,
  makeOwnKeys,
  operatorAccount,
  ownAccountAt,
  type SigningPurpose,
  setUpAccount,
} from '../features/outgoing/signing-accounts.ts'
import { platform } from '../kernel/platform.ts'
import { merchantOperatorKey } from '../stores/vault/vault-signer.ts'
import { madeKey } from '../testing/made-key.ts'
import { done, present } from '../testing/outcomes.ts'
import { openNextDoor, openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

let numbered = 0

describe('intents of a merchant that name an account of others, as a log that others wrote may hold', () => {
  let front: StoreFront
  let victim: StoreFront
  let operator: AccountId
  let channel: AccountId
  beforeAll(async () => {
    front = await openStoreFront()
    victim = await openNextDoor(front)
    const { services } = front
    const network = present(services.networks.testnet)
    await makeOwnKeys(services, network, 'testnet')
    const own = present(await operatorAccount(services, 'testnet'))
    await setUpAccount(services, network, own)
    operator = own.account
    channel = present((await channelAccounts(services, 'testnet'))[0]).account
    await pass()
  })
  afterAll(() => front.close())

  const pass = async () => {
    for (let ledgers = 0; ledgers < 4; ledgers++) {
      await front.step()
      front.network.wait(5_000)
    }
  }
  const want = async (of: StoreFront, wanted: Pick<IntentDetails, 'class' | 'source' | 'action'>) => {
    numbered += 1
    const owner = asText(exampleId(ExceptionId, numbered))
    const at = front.services.clock.now('testnet')
    return done(recordIntent(front.services, of.scope, { ...wanted, owner, memo: null, at }))
  }
  const statusOf = async (id: string) => present(await (await front.platform.shown()).intents.withId(id)).row.status
  const viewOf = async (account: AccountId) => present(await done(front.network.gateway.accountView(account, [])))
  const paymentTo = (destination: AccountId): IntentAction => {
    const { assetId } = front.network.xlm
    return { _tag: 'payment', destination, assetId, amount: units(1) }
  }

  it.each(['the operator', 'a channel', 'another merchant'] as const)(
    'are not signed where the account is that of %s',
    async (whose) => {
      const thief = front.other.account
      const source = { 'the operator': operator, 'a channel': channel, 'another merchant': victim.account }[whose]
      const [before, had] = [await viewOf(source), await viewOf(thief)]
      const planted = [
        await want(front, { class: 'return', source, action: paymentTo(thief) }),
        await want(front, {
          class: 'rotation',
          source,
          action: { _tag: 'set_recovery_signer', signer: thief, isProtected: true },
        }),
        await want(front, { class: 'rotation', source, action: { _tag: 'rotate_key', to: thief } }),
        await want(front, {
          class: 'set_up',
          source,
          action: { _tag: 'change_trust', assetId: front.network.usdc.assetId, limit: 'maximum' },
        }),
      ]
      await pass()
      expect(await Promise.all(planted.map(statusOf))).toEqual(planted.map(() => 'waiting'))
      expect((await viewOf(source)).authority).toEqual(before.authority)
      expect((await viewOf(thief)).nativeBalance).toBe(had.nativeBalance)
      expect(front.platform.worker.troubles()).toContainEqual(
        expect.objectContaining({ _tag: 'CannotSign', account: source }),
      )
    },
  )

  it('leave the operator account of a merchant to its own charges, which the platform sends and raises the fees of', async () => {
    const { services } = front
    const publicKey = await madeKey(services.vault, merchantOperatorKey('testnet', victim.merchantId))
    const signing = async (merchantId: string, purpose: SigningPurpose) =>
      (await ownAccountAt(services, { merchantId, environment: 'testnet' }, [], publicKey, purpose))?.account ?? null
    expect(await signing(platform, 'fee')).toBe(publicKey)
    expect(await signing(victim.merchantId, 'charge')).toBe(publicKey)
    expect(await signing(front.merchantId, 'charge')).toBeNull()
  })

  it('are not signed in the pass that pays an intent of the account that is the merchant’s own', async () => {
    const { account: source } = victim
    const own = await want(victim, { class: 'return', source, action: paymentTo(front.payer.account) })
    const planted = await want(front, { class: 'return', source, action: paymentTo(front.other.account) })
    await pass()
    expect([await statusOf(own), await statusOf(planted)]).toEqual(['settled', 'waiting'])
  })
})
