import type { SqlDatabase } from '@quittance/event-store'
import { Asset, Keypair, Operation, StrKey } from '@stellar/stellar-sdk'
import { nothingToDo, type Plan } from '../faucet/grants.ts'
import { accountFlags } from '../ledger/accounts.ts'
import { issuedAsset } from '../ledger/assets.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { authorizedFlag, findTrustline } from '../ledger/trustlines.ts'
import type { Network } from '../network.ts'
import { textIn } from '../store/columns.ts'
import type { FaultStore } from './fault-store.ts'
import type { Faults } from './faults.ts'

type Line = NonNullable<Faults['deauthorise']>

/**
 * Revokes an issuer's authorization as the knob says and restores it once the knob is off, by transactions, as real
 * issuers do.
 */
export interface Consent {
  /** Stores a trustline to deauthorize, or answers which field is invalid. */
  readonly withdraw: (line: Line) => 'account' | 'asset_id' | undefined
  /** The issuers' operations that are due on a ledger. */
  readonly due: (view: LedgerView) => Plan
}

export const consentOf = (network: Network, database: SqlDatabase, faults: FaultStore): Consent => {
  const all = database.prepare('SELECT account, asset_id FROM sandbox_withdrawn')
  const insert = database.prepare('INSERT OR IGNORE INTO sandbox_withdrawn (account, asset_id) VALUES (?, ?)')
  const remove = database.prepare('DELETE FROM sandbox_withdrawn WHERE account = ? AND asset_id = ?')
  const issuerOf = (assetId: string) =>
    network.issuers.find(({ code, keypair }) => `${code}:${keypair.publicKey()}` === assetId)

  const step = (view: LedgerView, line: Pick<Line, 'account' | 'asset_id'>, isWithdrawn: boolean): Plan => {
    const issuer = issuerOf(line.asset_id)
    if (issuer === undefined) return nothingToDo
    const asset = new Asset(issuer.code, issuer.keypair.publicKey())
    const flags = flagsOf(view, line.account, asset)
    if (flags === undefined || ((flags & authorizedFlag) === 0) === isWithdrawn) return nothingToDo
    const source = issuer.keypair.publicKey()
    const change = Operation.setTrustLineFlags({
      source,
      trustor: line.account,
      asset,
      flags: { authorized: !isWithdrawn },
    })
    const right = Operation.setOptions(
      isWithdrawn
        ? { source, setFlags: accountFlags.authRevocable }
        : { source, clearFlags: accountFlags.authRevocable },
    )
    return { operations: isWithdrawn ? [right, change] : [change, right], signers: [issuer.keypair] }
  }

  return {
    withdraw: ({ account, asset_id }) => {
      if (!StrKey.isValidEd25519PublicKey(account)) return 'account'
      if (issuerOf(asset_id) === undefined) return 'asset_id'
      insert.run(account, asset_id)
      return undefined
    },
    due: (view) => {
      const lines = all.all().map((row) => ({ account: textIn(row, 'account'), asset_id: textIn(row, 'asset_id') }))
      if (lines.length === 0) return nothingToDo
      const on = faults.present().deauthorise
      const steps = lines.map((line) => {
        const isWithdrawn = on?.account === line.account && on.asset_id === line.asset_id
        const plan = step(view, line, isWithdrawn)
        // The trustline is authorized again, or gone: nothing remains to restore.
        if (!isWithdrawn && plan.operations.length === 0) remove.run(line.account, line.asset_id)
        return plan
      })
      return {
        operations: steps.flatMap(({ operations }) => operations),
        signers: steps.flatMap(({ signers }) => signers),
      }
    },
  }
}

const flagsOf = (view: LedgerView, account: string, asset: Asset): number | undefined => {
  const issued = issuedAsset(asset.toXdrObject())
  return issued && findTrustline(view, Keypair.fromPublicKey(account).xdrAccountId(), issued)?.flags
}
