import {
  type AccountId,
  CurrencyCode,
  cents,
  type Environment,
  minuteMs,
  type Stroops,
  stroops,
} from '@quittance/domain'
import { type LedgerUnreachable, readContract, tokenContractOf } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { contractStandings } from '../../features/migrations/former.ts'
import { channelAccounts, operatorAccount } from '../../features/outgoing/signing-accounts.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { Network, Services } from '../../services/services.ts'
import type { Finding } from './findings.ts'

/** A network closes a ledger each 5 or 6 seconds. */
const behindMs = minuteMs

/** A balance (stroops of XLM) below this pays for few charges or transactions. */
const leastSpendable: Readonly<Record<'operator' | 'channel', Stroops>> = {
  operator: stroops(10_000_000n),
  channel: stroops(1_000_000n),
}

/** Why the ledger cannot be read; null if it can. */
export const examineNode = async (
  { clock }: Pick<Services, 'clock'>,
  { gateway, provision }: Network,
  environment: Environment,
): Promise<Finding | null> => {
  const head = await gateway.latestLedger()()
  if (E.isLeft(head)) return { environment, code: 'node_unreachable', cause: head.left.cause }
  const [{ closedAt }, now] = [head.right, clock.now(environment)]
  // The ledgers of a sandbox close on demand.
  const isBehind = provision === null && now - closedAt > behindMs
  return isBehind ? { environment, code: 'node_behind', closedAt, now } : null
}

type Found = Promise<E.Either<LedgerUnreachable, ReadonlyArray<Finding>>>

/** Finds what prevents the sale of subscriptions. `wasmHash` (hex) is the code that the contract must run. */
export const examineCollecting = async (
  services: Pick<Services, 'vault' | 'clock'>,
  network: Network,
  environment: Environment,
  wasmHash: string,
): Found => {
  const { mandateContract: contract, gateway, provision, assets } = network
  if (contract === null) return E.right([{ environment, code: 'contract_not_configured' }])
  const view = await readContract(gateway)(contract)()
  if (E.isLeft(view)) return view
  const findings: Array<Finding> = []
  const found = view.right?.code?.sha256 ?? null
  if (view.right === null) findings.push({ environment, code: 'contract_missing', contract })
  else if (found !== wasmHash) findings.push({ environment, code: 'contract_differs', contract, found })
  for (const asset of assets) {
    const token = await readContract(gateway)(tokenContractOf(asset.assetId, gateway.networkPassphrase))()
    if (E.isLeft(token)) return token
    if (token.right === null) findings.push({ environment, code: 'token_missing', asset })
  }
  const operator = await operatorAccount(services, environment)
  if (operator === null) return E.right([...findings, { environment, code: 'operator_not_created' }])
  const { account } = operator
  const own = await gateway.accountView(account, [])()
  if (E.isLeft(own)) return own
  if (own.right !== null && own.right.nativeSpendable < leastSpendable.operator)
    findings.push({ environment, code: 'operator_underfunded', account, spendable: own.right.nativeSpendable })
  // A network that sets accounts up creates it when it is needed.
  if (own.right === null && provision === null) findings.push({ environment, code: 'operator_missing', account })
  return E.right(findings)
}

/** Finds what merchants' own operator accounts lack: those of new mandates, and those that living ones name. */
export const examineMerchantOperators = async (
  { readModels }: Pick<Services, 'readModels'>,
  { gateway, provision }: Network,
  environment: Environment,
  service: AccountId | null,
): Found => {
  const adopted = (await readModels.merchants.all()).flatMap(({ row }) => row.operators?.[environment] ?? [])
  const named = (await readModels.mandates.places(environment)).map(({ operator }) => operator)
  const findings: Array<Finding> = []
  for (const account of new Set([...adopted, ...named])) {
    if (account === service) continue
    const view = await gateway.accountView(account, [])()
    if (E.isLeft(view)) return view
    const spendable = view.right?.nativeSpendable ?? null
    if (spendable === null && provision === null) findings.push({ environment, code: 'operator_missing', account })
    if (spendable !== null && spendable < leastSpendable.operator)
      findings.push({ environment, code: 'operator_underfunded', account, spendable })
  }
  return E.right(findings)
}

/** The former contracts: what is left in them, and which may be forgotten. */
export const examineFormerContracts = async (
  services: Pick<Services, 'readModels' | 'networks'>,
  environment: Environment,
): Promise<ReadonlyArray<Finding>> =>
  (await contractStandings(services, environment)).flatMap(
    ({ contract, standing }): ReadonlyArray<Finding> =>
      standing === 'configured' ? [] : [{ environment, code: `contract_${standing}`, contract }],
  )

/** Finds what slows outgoing money down. */
export const examineChannels = async (
  services: Pick<Services, 'vault' | 'clock'>,
  network: Network,
  environment: Environment,
): Found => {
  const findings: Array<Finding> = []
  for (const { account } of await channelAccounts(services, environment)) {
    const view = await network.gateway.accountView(account, [])()
    if (E.isLeft(view)) return view
    const spendable = view.right?.nativeSpendable ?? null
    if (spendable === null) {
      if (network.provision === null) findings.push({ environment, code: 'channel_missing', account })
    } else if (spendable < leastSpendable.channel)
      findings.push({ environment, code: 'channel_underfunded', account, spendable })
  }
  return E.right(findings)
}

const oneDollar = { _tag: 'fiat', currency: decodeOrThrow(CurrencyCode, 'USD'), cents: cents(100n) } as const

/** The assets without a rate, in which no price can be quoted now. `defaults`: the assets in which prices settle. */
export const examineRates = async (
  { clock }: Pick<Services, 'clock'>,
  { quote, assets }: Network,
  environment: Environment,
  defaults: ReadonlySet<string>,
): Promise<ReadonlyArray<Finding>> => {
  const findings: Array<Finding> = []
  for (const asset of assets) {
    const quoted = await quote(oneDollar, asset, clock.now(environment))()
    if (E.isRight(quoted) || quoted.left._tag !== 'RateUnavailable') continue
    const { pair, reason } = quoted.left
    findings.push({ environment, code: 'no_rate', asset, isDefault: defaults.has(asset.assetId), pair, reason })
  }
  return findings
}
