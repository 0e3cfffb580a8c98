import { type AccountId, asText, dayMs, type Environment, type Stroops, stroops } from '@quittance/domain'
import {
  BASE_RESERVE,
  buildOfflineRotation,
  heaviestThreshold,
  keepsSigners,
  type OfflineRotation,
  readOfflineRotation,
  weightOf,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import {
  foreignSignerIn,
  recordRecoverySigning,
  recoveryKeysOf,
  recoverySigningInForce,
  recoverySigningsOf,
  recoverySigningUnderWay,
} from '../features/outgoing/recovery-signers.ts'
import {
  knownKeysOf,
  laterKeysOf,
  recordRotation,
  rotationDetails,
  rotationsOf,
} from '../features/outgoing/rotations.ts'
import { signerOf } from '../features/outgoing/signing-accounts.ts'
import type { Network } from '../services/services.ts'
import { unmadeRecoveredKey } from '../stores/vault/vault-signer.ts'
import {
  type AccountKeys,
  type Held,
  heldBy,
  type KeyHolder,
  type KeyringServices,
  maySetSigners,
  missingFor,
  onLedger,
  type RotateFailure,
  shown,
} from './account-keys.ts'

/** A key that is held offline, and whether it alone may change signers. */
export type WantedRecovery = { readonly signer: AccountId; readonly isProtected: boolean }

export type RecoveryFailure =
  | RotateFailure
  /** The service has the secret of that key, or had it: it would protect against nothing. */
  | { readonly _tag: 'RecoveryKeyIsOurs'; readonly signer: AccountId }
  /** The account of the recovery key is not on the ledger, or holds too little to pay for what the key will sign. */
  | { readonly _tag: 'RecoveryAccountShort'; readonly signer: AccountId; readonly missing: Stroops }
  /** No recovery signer of the account can change its signers. */
  | { readonly _tag: 'RecoverySignerMissing'; readonly account: AccountId }
  /** The transaction is none that was prepared for the account, or it cannot enter a ledger any more. */
  | { readonly _tag: 'RecoveryTransactionUnfit'; readonly because: UnfitReason }
  /** Another key has weight, and could change signers together with the service's. */
  | { readonly _tag: 'ForeignSigner'; readonly account: AccountId; readonly key: string }
  /** Another recovery signer, or another mode, is on its way to the ledger. */
  | ({ readonly _tag: 'RecoverySigningUnderWay'; readonly account: AccountId } & WantedRecovery)

export type UnfitReason = 'unknown_form' | 'not_signed' | 'other_account' | 'unknown_key' | 'expired' | 'sequence_used'

/** Recovery signers: keys whose secrets are held offline, with which a person changes the key of an account. */
export interface AccountRecovery {
  /**
   * Begins to give each account a recovery signer, in place of an earlier one, or joins the same wish where it is under way. The worker puts it on
   * the ledger. Repeated, it does nothing where the ledger shows it.
   */
  readonly set: (
    environment: Environment,
    of: KeyHolder,
    wanted: WantedRecovery,
  ) => TE.TaskEither<RecoveryFailure, ReadonlyArray<AccountKeys>>
  /**
   * Makes a new key of each account in the vault, and the transaction that gives it the account's weight and takes that of all
   * others but the recovery key's, which has to sign it within so many days. Nothing is recorded. `signer`: null for the recovery
   * signer that the log names.
   */
  readonly prepare: (
    environment: Environment,
    of: KeyHolder,
    how: { readonly signer: AccountId | null; readonly days: number },
  ) => TE.TaskEither<RecoveryFailure, ReadonlyArray<PreparedRotation>>
  /** Records the rotations that the recovery key has signed; the worker sends them. Repeated, it records nothing. */
  readonly submit: (
    environment: Environment,
    of: KeyHolder,
    signed: ReadonlyArray<string>,
  ) => TE.TaskEither<RecoveryFailure, ReadonlyArray<AccountKeys>>
}

/** A transaction (base64) that only the recovery key has to sign. */
export type PreparedRotation = Pick<
  OfflineRotation,
  'account' | 'to' | 'recoveryKey' | 'transactionHash' | 'maxTime'
> & {
  readonly networkPassphrase: string
  readonly envelopeXdr: string
}

export const accountRecovery = (services: KeyringServices): AccountRecovery => ({
  prepare:
    (environment, of, { signer, days }) =>
    async () => {
      const held = await heldBy(services, environment, of)
      if (E.isLeft(held)) return held
      const { network } = held.right
      const present = await onLedger(held.right)
      if (E.isLeft(present)) return present
      const prepared: Array<PreparedRotation> = []
      for (const { own } of present.right) {
        const one = await prepareOne(services, network, environment, {
          account: own.account,
          signer,
          days,
          earlier: prepared,
        })
        if (E.isLeft(one)) return one
        prepared.push(one.right)
      }
      return E.right(prepared)
    },
  submit: (environment, of, signed) => async () => {
    const held = await heldBy(services, environment, of)
    if (E.isLeft(held)) return held
    const { network, accounts } = held.right
    for (const envelopeXdr of signed) {
      const recorded = await submitOne(services, network, environment, accounts, envelopeXdr)
      if (E.isLeft(recorded)) return recorded
    }
    const caught = await services.caughtUp.withLog()
    return E.isLeft(caught) ? caught : shown(services, environment, held.right)
  },
  set: (environment, of, wanted) => async () => {
    const held = await heldBy(services, environment, of)
    if (E.isLeft(held)) return held
    const { network } = held.right
    const able = wanted.isProtected ? await ensureAble(network, wanted.signer) : E.right(undefined)
    if (E.isLeft(able)) return able
    const present = await onLedger(held.right)
    if (E.isLeft(present)) return present
    for (const each of present.right) {
      const begun = await begin(services, network, each, wanted)
      if (E.isLeft(begun)) return begun
    }
    const caught = await services.caughtUp.withLog()
    return E.isLeft(caught) ? caught : shown(services, environment, held.right)
  },
})

/** The most that an operation of an offline rotation may cost, in stroops: nobody can raise it later. */
const offlineFee = stroops(500_000n)
const mostOperations = 4n

/** What the account of a recovery key spends at most on one account: the reserve of a signer, and the fee. */
const spentOnOne = BASE_RESERVE + offlineFee * mostOperations

const prepareOne = async (
  services: KeyringServices,
  { gateway }: Network,
  environment: Environment,
  { account, signer, days, earlier }: ToPrepare,
): Promise<E.Either<RecoveryFailure, PreparedRotation>> => {
  const view = await gateway.accountView(account, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.left({ _tag: 'AccountNotOnLedger', account })
  const { authority } = view.right
  const known = signer === null ? await recoveryKeysOf(services.readModels, environment, account) : [signer]
  const recoveryKey = known.findLast((key) => weightOf(authority, key) >= heaviestThreshold(authority))
  if (recoveryKey === undefined) return E.left({ _tag: 'RecoverySignerMissing', account })
  const payer = await gateway.accountView(recoveryKey, [])()
  if (E.isLeft(payer)) return payer
  const before = BigInt(earlier.filter((each) => each.recoveryKey === recoveryKey).length)
  const missing = (before + 1n) * spentOnOne - (payer.right?.nativeSpendable ?? -2n * BASE_RESERVE)
  if (missing > 0n || payer.right === null)
    return E.left({ _tag: 'RecoveryAccountShort', signer: recoveryKey, missing: stroops(missing) })
  const head = await gateway.latestLedger()()
  if (E.isLeft(head)) return head
  // Made now: an earlier one may have had weight without the log's knowledge, or be in a copy of the vault.
  const made = await services.vault.createKey(await unmadeRecoveredKey(services.vault, environment, account))()
  if (E.isLeft(made)) return made
  const to = made.right
  const { networkPassphrase } = gateway
  const built = buildOfflineRotation({
    account,
    authority,
    to,
    recoveryKey,
    nextAccountSequence: payer.right.accountSequence + 1n + before,
    ledgerClosedAt: head.right.closedAt,
    lifetimeMs: days * dayMs,
    fee: offlineFee,
    networkPassphrase,
  })
  return E.right({ account, to, recoveryKey, networkPassphrase, ...built })
}

type ToPrepare = {
  readonly account: AccountId
  readonly signer: AccountId | null
  readonly days: number
  readonly earlier: ReadonlyArray<PreparedRotation>
}

const submitOne = async (
  services: KeyringServices,
  { gateway }: Network,
  environment: Environment,
  accounts: ReadonlyArray<Held>,
  envelopeXdr: string,
): Promise<E.Either<RecoveryFailure, void>> => {
  const unfit = (because: UnfitReason) => E.left({ _tag: 'RecoveryTransactionUnfit' as const, because })
  const signed = readOfflineRotation(envelopeXdr, gateway.networkPassphrase)
  if (signed === null) return unfit('unknown_form')
  if (!signed.isSigned) return unfit('not_signed')
  const { account, to, recoveryKey } = signed
  const held = accounts.find(({ own }) => own.account === account)
  if (held === undefined) return unfit('other_account')
  if (!(await laterKeysOf(services.vault, environment, account)).includes(to)) return unfit('unknown_key')
  // A repeated submission, or another signature for the same key.
  if ((await rotationsOf(services.readModels, environment, account)).some(({ action }) => action.to === to))
    return E.right(undefined)
  const details = rotationDetails(account, to, null, asText(envelopeXdr))
  const record = async () =>
    E.map(() => undefined)(
      await recordRotation(services, held.scope, { details, to, at: services.clock.now(environment) }),
    )
  // A person has sent it past the service, which records what became of it.
  const found = await gateway.lookUp(signed.transactionHash)()
  if (E.isLeft(found)) return found
  if (found.right._tag === 'Succeeded') return record()
  const head = await gateway.latestLedger()()
  if (E.isLeft(head)) return head
  if (head.right.closedAt >= signed.maxTime) return unfit('expired')
  const view = await gateway.accountView(account, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.left({ _tag: 'AccountNotOnLedger', account })
  const { authority } = view.right
  if (weightOf(authority, recoveryKey) < heaviestThreshold(authority))
    return E.left({ _tag: 'RecoverySignerMissing', account })
  const payer = await gateway.accountView(recoveryKey, [])()
  if (E.isLeft(payer)) return payer
  const missing = BASE_RESERVE + signed.fee - (payer.right?.nativeSpendable ?? -2n * BASE_RESERVE)
  if (missing > 0n || payer.right === null)
    return E.left({ _tag: 'RecoveryAccountShort', signer: recoveryKey, missing: stroops(missing) })
  if (payer.right.accountSequence >= signed.accountSequence) return unfit('sequence_used')
  return record()
}

/** What the account of a recovery key needs at least, besides its reserve: that of a new signer, and the fees (XLM in stroops). */
const leastOfRecovery = 10_000_000n

const ensureAble = async ({ gateway }: Network, signer: AccountId): Promise<E.Either<RecoveryFailure, void>> => {
  const view = await gateway.accountView(signer, [])()
  if (E.isLeft(view)) return view
  const missing = leastOfRecovery - (view.right?.nativeSpendable ?? -2n * BASE_RESERVE)
  return missing > 0n ? E.left({ _tag: 'RecoveryAccountShort', signer, missing: stroops(missing) }) : E.right(undefined)
}

const begin = async (
  services: KeyringServices,
  { gateway }: Network,
  { scope, own, sponsor }: Held,
  wanted: WantedRecovery,
): Promise<E.Either<RecoveryFailure, void>> => {
  const { readModels } = services
  const { environment } = scope
  const { account } = own
  const { signer, isProtected } = wanted
  const ours = await knownKeysOf(services, environment, account)
  if (ours.includes(signer)) return E.left({ _tag: 'RecoveryKeyIsOurs', signer })
  const number = (await recoverySigningsOf(readModels, environment, account)).length
  const underWay = await recoverySigningUnderWay(readModels, environment, account)
  if (underWay !== null && !isWanted(underWay.action, wanted)) return othersUnderWay(account, underWay.action)
  const view = await gateway.accountView(account, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.left({ _tag: 'AccountNotOnLedger', account })
  const { authority } = view.right
  const foreign = isProtected ? await foreignSignerIn(services, environment, view.right, signer) : null
  if (foreign !== null) return E.left({ _tag: 'ForeignSigner', account, key: foreign })
  if (underWay !== null) return E.right(undefined)
  if ((await recoverySigningInForce(readModels, environment, account))?.action.signer === signer) {
    const isThere = isProtected ? keepsSigners(authority, signer, ours) : weightOf(authority, signer) > 0
    if (isThere) return E.right(undefined)
  }
  const key = await signerOf(services, environment, own, view.right)
  if (key === null) return E.left({ _tag: 'KeyWithoutWeight', account })
  if (!maySetSigners(view.right, key.publicKey)) return E.left({ _tag: 'RecoveryKeyNeeded', account })
  const payer = sponsor === null ? view : await gateway.accountView(sponsor.account, [])()
  if (E.isLeft(payer)) return payer
  const missing = missingFor(weightOf(authority, signer) > 0 ? 0n : BASE_RESERVE, payer.right)
  if (missing > 0n)
    return E.left({ _tag: 'RotationUnaffordable', account: sponsor?.account ?? account, missing: stroops(missing) })
  const sponsoring = sponsor === null ? {} : { sponsor: sponsor.account }
  const recorded = await recordRecoverySigning(services, scope, {
    account,
    number,
    action: { _tag: 'set_recovery_signer', signer, isProtected, ...sponsoring },
    at: services.clock.now(environment),
  })
  if (E.isLeft(recorded)) return recorded
  // Another caller may have been first.
  const { state } = recorded.right
  const action = state.status === 'absent' ? null : state.details.action
  if (action?._tag === 'set_recovery_signer' && !isWanted(action, wanted)) return othersUnderWay(account, action)
  return E.right(undefined)
}

const isWanted = (action: WantedRecovery, { signer, isProtected }: WantedRecovery): boolean =>
  action.signer === signer && action.isProtected === isProtected

const othersUnderWay = (
  account: AccountId,
  { signer, isProtected }: WantedRecovery,
): E.Either<RecoveryFailure, never> => E.left({ _tag: 'RecoverySigningUnderWay', account, signer, isProtected })
