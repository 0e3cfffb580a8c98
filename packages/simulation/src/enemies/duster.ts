import { walletsOn } from '@quittance/billing/testing/wallets'
import { decimalFromStroops, stroops } from '@quittance/domain'
import { Asset, Keypair, Memo, Operation } from '@stellar/stellar-sdk'
import { walletNumbers } from '../fixture.ts'
import { ownTransaction } from '../own-transactions.ts'
import type { Stage } from '../stage.ts'
import type { Enemy } from './enemy.ts'

/** More than the entries that a ledger may cause, and fewer than a transaction may hold. */
const payments = 60
const amount = decimalFromStroops(stroops(1n))

/** Floods sessions and the account with payments of one stroop of several assets, many to a transaction. */
export const duster = ({ random, fixture, network, faultFree, submitDirectly, submitUnmatched }: Stage): Enemy => {
  const wallets = walletNumbers.map(walletsOn(network).again)
  const assets = [network.usdc, network.xlm, network.eurc].map(({ assetId }) => {
    const [code = '', issuer] = assetId.split(':')
    return issuer === undefined ? Asset.native() : new Asset(code, issuer)
  })
  const flood = (): void => {
    const sessions = faultFree.readModels.checkouts.all()
    const session = sessions.length > 0 && random.onceIn(2) ? random.oneOf(sessions) : null
    const memo = session === null ? random.oneOf([null, 'hello']) : (session.row.details.reference ?? session.id)
    const sent = random.onceIn(2) ? assets : [random.oneOf(assets)]
    const operations = Array.from({ length: payments }, () =>
      Operation.payment({ destination: fixture.account, asset: random.oneOf(sent), amount }),
    )
    const content = memo === null ? {} : { memo: Memo.text(memo) }
    const envelope = ownTransaction(network, Keypair.fromSecret(random.oneOf(wallets).secret), operations, content)
    if (envelope !== null) (session === null ? submitUnmatched : submitDirectly)(envelope)
  }
  return { moves: [{ name: 'a flood of dust', weight: 8, act: flood }], rest: () => undefined, attend: () => undefined }
}
