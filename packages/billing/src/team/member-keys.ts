import { type Environment, type KeyMaker, Merchant, type Text } from '@quittance/domain'
import type { ApiKeyRow, Found, PageRequest, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { MerchantFailure, Merchants, NewKey, RotatedKey } from '../features/merchants/merchants.ts'
import type { CommandContext } from '../kernel/execute.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { stepRejected } from '../kernel/step.ts'
import { correlationNow } from '../kernel/tracing/trace-ids.ts'
import { type ApiKeyResource, apiKeyResource } from '../resources/api-key.ts'
import { actsAsSecretKey, keyScopesFor } from '../resources/member-scopes.ts'
import { type Listing, listed } from '../services/listing.ts'
import type { KeyBeyondRole, KeyChangeFailure, KeyFailure, KeyNotFound } from './failures.ts'
import type { TeamServices } from './services.ts'
import type { SignedIn } from './sessions.ts'
import type { TeamStreams } from './team-streams.ts'

/** `scopes`: none for a secret key. */
export type WantedKey = { readonly name: Text; readonly scopes: ReadonlyArray<string> }

const beyondRole: E.Either<KeyBeyondRole, never> = E.left({ _tag: 'KeyBeyondRole' })

/**
 * The keys and app tokens of a merchant, for its members. A key that a member makes stands for their person, may never do
 * more than they, and ends with their membership.
 */
export const memberKeys = (
  services: TeamServices,
  teams: TeamStreams,
  { keys, createKey, ...merchants }: Merchants,
) => {
  const { readModels, clock, freshId } = services
  const contextOf = (actor: string, { merchantId, environment }: Scope): CommandContext => {
    const commandId = freshId()
    const correlationId = correlationNow(commandId)
    return { merchantId, environment, commandId, correlationId, causationId: null, actor, at: clock.now(environment) }
  }
  const shown = async (found: Found<ApiKeyRow>): Promise<ApiKeyResource> =>
    apiKeyResource(found, await merchants.lastUsed(found.id))

  const rowIn = async (
    { merchantId, environment }: Scope,
    keyId: string,
  ): Promise<E.Either<KeyNotFound, Found<ApiKeyRow>>> => {
    const found = await readModels.apiKeys.withId(keyId)
    if (found?.merchantId === merchantId && found.row.key.environment === environment) return E.right(found)
    return E.left({ _tag: 'KeyNotFound' })
  }
  const rowAfterwards = async (scope: Scope, keyId: string): Promise<ApiKeyResource> => {
    await services.caughtUp.withOwnWrites(scope.merchantId)
    const row = await rowIn(scope, keyId)
    if (E.isLeft(row)) throw new Error(`${keyId} has no row after a command`)
    return shown(row.right)
  }
  const makerOf = async ({
    merchantId,
    memberId,
  }: SignedIn): Promise<E.Either<StoreUnavailable | KeyBeyondRole, KeyMaker>> => {
    const member = await teams.member(merchantId, memberId)
    if (E.isLeft(member)) return member
    return member.right === null ? beyondRole : E.right({ memberId, person: member.right.person })
  }
  const answered = async (
    scope: Scope,
    made: E.Either<MerchantFailure, NewKey | RotatedKey>,
  ): Promise<E.Either<KeyFailure, ApiKeyResource & { readonly secret: string }>> => {
    if (E.isLeft(made)) return E.left(expectedOf(scope.merchantId, made.left))
    return E.right({ ...(await rowAfterwards(scope, made.right.keyId)), secret: made.right.secret })
  }

  return {
    list: (page: PageRequest) => (): Promise<Listing<ApiKeyResource>> =>
      listed(services, readModels.apiKeys, page, shown),
    retrieve: (scope: Scope, keyId: string) => async (): Promise<E.Either<KeyFailure, ApiKeyResource>> => {
      const row = await rowIn(scope, keyId)
      return E.isLeft(row) ? row : E.right(await shown(row.right))
    },
    make: async (by: SignedIn, environment: Environment, { name, scopes }: WantedKey) => {
      const kind = scopes.length === 0 ? ('secret' as const) : ('app' as const)
      if (keyScopesFor(by.role, { kind, environment, scopes })?.length !== scopes.length) return beyondRole
      const maker = await makerOf(by)
      if (E.isLeft(maker)) return maker
      const scope = { merchantId: by.merchantId, environment }
      const purpose = { label: name, maker: maker.right }
      return answered(scope, await createKey(contextOf(by.memberId, scope), scopes, purpose)())
    },
    /** Only of a key that stands for the same person: whoever replaces a key gets its rights, and its voice. */
    replace: async (by: SignedIn, environment: Environment, keyId: string, overlapMs: number) => {
      const scope = { merchantId: by.merchantId, environment }
      const row = await rowIn(scope, keyId)
      if (E.isLeft(row)) return row
      const { key } = row.right.row
      if (keyScopesFor(by.role, key)?.length !== key.scopes.length) return beyondRole
      const maker = await makerOf(by)
      if (E.isLeft(maker)) return maker
      return answered(
        scope,
        await merchants.rotateKey(contextOf(by.memberId, scope), key.keyId, overlapMs, maker.right)(),
      )
    },
    /** Owners and admins revoke any key; others their own. */
    revoke: async (
      by: SignedIn,
      environment: Environment,
      keyId: string,
    ): Promise<E.Either<KeyFailure, ApiKeyResource>> => {
      const scope = { merchantId: by.merchantId, environment }
      const row = await rowIn(scope, keyId)
      if (E.isLeft(row)) return row
      const { key } = row.right.row
      if (!actsAsSecretKey(by.role) && key.maker?.memberId !== by.memberId) return beyondRole
      const revoked = await merchants.revokeKey(contextOf(by.memberId, scope), key.keyId)()
      return E.isLeft(revoked)
        ? E.left(expectedOf(scope.merchantId, revoked.left))
        : E.right(await rowAfterwards(scope, keyId))
    },
    /** Revokes what a member has made. Their keys are refused from their removal on, whether or not this has run. */
    revokeAllOf: async (
      actor: string,
      merchantId: string,
      memberId: string,
    ): Promise<E.Either<KeyChangeFailure, null>> => {
      await services.caughtUp.withOwnWrites(merchantId)
      for (const { row } of await keys(merchantId)) {
        const { keyId, environment, maker } = row.key
        if (maker?.memberId !== memberId || row.revokedAt !== null) continue
        const revoked = await merchants.revokeKey(contextOf(actor, { merchantId, environment }), keyId)()
        if (E.isLeft(revoked)) return E.left(expectedOf(merchantId, revoked.left))
      }
      return E.right(null)
    },
  }
}
export type MemberKeys = ReturnType<typeof memberKeys>

const told = [
  'ApiKeyIsReplaced',
  'ApiKeyIsRevoked',
  'ReplacementUnlike',
  'ForeignStream',
  'TooManyConflicts',
  'StepRejected',
  'ClaimLost',
  'StoreUnavailable',
  'OutcomeUnknown',
  'LedgerUnreachable',
  'SignerUnavailable',
  'NetworkNotConfigured',
  'ProvisionFailed',
] as const satisfies ReadonlyArray<KeyChangeFailure['_tag']>
type Told = Extract<MerchantFailure, { readonly _tag: (typeof told)[number] }>

/** No other rejection of a merchant is possible for these commands. */
const expectedOf = (merchantId: string, failure: MerchantFailure): KeyChangeFailure => {
  const tags: ReadonlyArray<string> = told
  const isTold = (each: MerchantFailure): each is Told => tags.includes(each._tag)
  return isTold(failure) ? failure : stepRejected([Merchant, merchantId], failure)
}
