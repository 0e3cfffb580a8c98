import { type Wallet, walletsOn } from '@quittance/billing/testing/wallets'
import { decimalFromStroops, stroops } from '@quittance/domain'
import { Asset, Keypair, Memo, Operation } from '@stellar/stellar-sdk'
import { walletNumbers } from '../fixture.ts'
import { dusterNumbers } from '../market.ts'
import { ownTransaction } from '../own-transactions.ts'
import type { Player } from '../player.ts'
import type { Stage } from '../stage.ts'

/** More than the entries that a ledger may cause, and fewer than a transaction may hold. */
const payments = 60
const amount = decimalFromStroops(stroops(1n))

/** Sends payments of one stroop of several assets to a session or the account, many to a transaction. */
const floodsOn = ({ random, fixture, network, faultFree, submitDirectly, submitUnmatched }: Stage) => {
  const assets = [network.usdc, network.xlm, network.eurc].map(({ assetId }) => {
    const [code = '', issuer] = assetId.split(':')
    return issuer === undefined ? Asset.native() : new Asset(code, issuer)
  })
  return async ({ secret }: Wallet): Promise<void> => {
    const all = await faultFree.readModels.checkouts.all()
    const sessions = all.filter(({ merchantId }) => merchantId === fixture.merchantId)
    const session = sessions.length > 0 && random.onceIn(2) ? random.oneOf(sessions) : null
    const memo = session === null ? random.oneOf([null, 'hello']) : (session.row.details.reference ?? session.id)
    const sent = random.onceIn(2) ? assets : [random.oneOf(assets)]
    const operations = Array.from({ length: payments }, () =>
      Operation.payment({ destination: fixture.account, asset: random.oneOf(sent), amount }),
    )
    const content = memo === null ? {} : { memo: Memo.text(memo) }
    const envelope = ownTransaction(network, Keypair.fromSecret(secret), operations, content)
    if (envelope !== null) (session === null ? submitUnmatched : submitDirectly)(envelope)
  }
}

/** Floods sessions and the account. */
export const duster = (stage: Stage): Player => {
  const wallets = walletNumbers.map(walletsOn(stage.network).again)
  const flood = floodsOn(stage)
  const act = (): Promise<void> => flood(stage.random.oneOf(wallets))
  return { moves: [{ name: 'a flood of dust', weight: 8, act }], rest: () => undefined, attend: () => undefined }
}

/** Floods many sessions in each ledger that is to hold a payment to the neighbour. */
export const flooder = (stage: Stage): Player => {
  const { fixture, network } = stage
  const wallets = dusterNumbers.map(walletsOn(network).again)
  const flood = floodsOn(stage)
  const neighbour = Buffer.from(Keypair.fromPublicKey(fixture.neighbour?.account ?? '').rawPublicKey())
  let isActive = true
  network.beforeEachLedger(async (pending) => {
    if (isActive && pending.some((envelope) => Buffer.from(envelope, 'base64').includes(neighbour)))
      for (const wallet of wallets) await flood(wallet)
  })
  return {
    moves: [],
    rest: () => {
      isActive = false
    },
    attend: () => undefined,
  }
}
