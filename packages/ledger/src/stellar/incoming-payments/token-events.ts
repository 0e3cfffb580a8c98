import { AssetId, issuerOf } from '@quittance/domain'
import { StrKey, type xdr } from '@stellar/stellar-sdk'
import { accountIdOf, accountOf } from '../addresses.ts'
import { sdkAsset } from '../assets.ts'
import { heldBy, movedParts, type Part, type Side } from './part.ts'

/** Returns the `C…` address of the network's own contract of an asset. */
export type AssetContracts = (assetId: AssetId) => string

/** The asset contracts of a network, each computed once. */
export const assetContracts = (networkPassphrase: string): AssetContracts => {
  const known = new Map<AssetId, string>()
  return (assetId) => {
    const contract = known.get(assetId) ?? sdkAsset(assetId).contractId(networkPassphrase)
    known.set(assetId, contract)
    return contract
  }
}

type Amount = { readonly amount: bigint; readonly muxedId: string | null }

type TokenMovement = 'contract_transfer' | 'contract_mint' | 'contract_burn' | 'contract_clawback'

const kinds: ReadonlyMap<string, TokenMovement> = new Map([
  ['transfer', 'contract_transfer'],
  ['mint', 'contract_mint'],
  ['burn', 'contract_burn'],
  ['clawback', 'contract_clawback'],
])

const namedIn = (topic: xdr.ScVal | undefined): Side | null => {
  if (topic?.type !== 'scvAddress') return null
  const { address } = topic
  switch (address.type) {
    case 'scAddressTypeAccount':
      return heldBy({ account: accountOf(address.accountId), muxedId: null })
    case 'scAddressTypeMuxedAccount': {
      const { ed25519, id } = address.muxedAccount
      return heldBy({ account: accountIdOf(ed25519), muxedId: id.toString() })
    }
    case 'scAddressTypeContract':
      return {
        holder: null,
        counterparty: { _tag: 'contract', contract: StrKey.encodeContract(address.contractId.value) },
      }
    case 'scAddressTypeClaimableBalance':
      return {
        holder: null,
        counterparty: { _tag: 'claimable_balance', id: address.claimableBalanceId.value.toString(), sponsor: null },
      }
    case 'scAddressTypeLiquidityPool':
      return { holder: null, counterparty: { _tag: 'liquidity_pool', id: address.liquidityPoolId.toString() } }
  }
}

const integerIn = (value: xdr.ScVal | undefined): bigint | null =>
  value?.type === 'scvI128' ? (value.i128.hi << 64n) | value.i128.lo : null

/** A number; since protocol 23, for a muxed payee, a map of the amount and its id. */
const amountIn = (data: xdr.ScVal): Amount | null => {
  const plain = integerIn(data)
  if (plain !== null) return { amount: plain, muxedId: null }
  if (data.type !== 'scvMap') return null
  const field = (name: string) => data.map?.find(({ key }) => key.type === 'scvSymbol' && key.value === name)?.val
  const amount = integerIn(field('amount'))
  const id = field('to_muxed_id')
  return amount === null ? null : { amount, muxedId: id?.type === 'scvU64' ? id.u64.toString() : null }
}

const addressed = (named: Side, muxedId: string | null): Side =>
  named.holder === null || muxedId === null ? named : heldBy({ ...named.holder, muxedId })

/**
 * The transfer that an event states; nothing unless the network's own contract of the named asset emitted it: any
 * contract may emit events of this shape. Before protocol 23, mint and clawback name the administrator first.
 * Source: CAP-46-6, CAP-67.
 */
const partsOf = ({ contractId, type, body }: xdr.ContractEvent, contracts: AssetContracts): ReadonlyArray<Part> => {
  if (contractId === null || type.name !== 'contract') return []
  const [name, ...rest] = body.v0.topics
  const asset = rest.pop()
  const kind = name?.type === 'scvSymbol' ? kinds.get(name.value) : undefined
  if (kind === undefined || asset?.type !== 'scvString' || !AssetId.is(asset.value)) return []
  if (contracts(asset.value) !== StrKey.encodeContract(contractId.value)) return []
  const moved = amountIn(body.v0.data)
  const last = namedIn(rest.at(-1))
  if (moved === null || last === null) return []
  const issuer = issuerOf(asset.value)
  const issuing = issuer === null ? { holder: null, counterparty: null } : heldBy({ account: issuer, muxedId: null })
  switch (kind) {
    case 'contract_transfer': {
      const from = namedIn(rest[0])
      return from === null ? [] : movedParts(kind, asset.value, moved.amount, from, addressed(last, moved.muxedId))
    }
    case 'contract_mint':
      return movedParts(kind, asset.value, moved.amount, issuing, addressed(last, moved.muxedId))
    case 'contract_burn':
    case 'contract_clawback':
      return movedParts(kind, asset.value, moved.amount, last, issuing)
  }
}

/**
 * The transfers that the events of asset contracts in a contract call state, in order. Ignores other contracts' events.
 */
export const tokenParts = (events: ReadonlyArray<xdr.ContractEvent>, contracts: AssetContracts): ReadonlyArray<Part> =>
  events.flatMap((event) => partsOf(event, contracts))
