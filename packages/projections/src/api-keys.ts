import { ApiKey, ApiKeyId, Merchant, type RecordedEvent, UnixMs, unixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

const momentOrNull = t.union([t.null, UnixMs])
/** `validUntil`: when a key ends that another has replaced. */
export const ApiKeyRow = t.strict({
  key: ApiKey,
  createdAt: UnixMs,
  validUntil: momentOrNull,
  revokedAt: momentOrNull,
})
export type ApiKeyRow = t.TypeOf<typeof ApiKeyRow>

const decode = decodedBy(Merchant)

const fold = (row: O.Option<ApiKeyRow>, recorded: RecordedEvent): O.Option<ApiKeyRow> => {
  const at = unixMs(recorded.metadata.occurredAt)
  const event = decode(recorded)
  switch (event.type) {
    case 'ApiKeyCreated':
      return O.some({ key: event.data, createdAt: at, validUntil: null, revokedAt: null })
    case 'ApiKeyReplaced':
      return O.map((known: ApiKeyRow) => ({ ...known, validUntil: event.data.validUntil }))(row)
    case 'ApiKeyRevoked':
      return O.map((known: ApiKeyRow) => ({ ...known, revokedAt: at }))(row)
    case 'MerchantCreated':
    case 'SettlementAccountSet':
    case 'SettlementBooksClosed':
    case 'AssetsAccepted':
    case 'FundingAccountsDeclared':
    case 'SetUpCompleted':
    case 'SetUpRequested':
    case 'SponsorshipSet':
    case 'OperatorAccountSet':
    case 'PolicySet':
    case 'ProfileSet':
    case 'PlatformFeeSet':
    case 'LogoSet':
    case 'MerchantLeft':
    case 'MerchantArrived':
      return row
  }
}

/** A row for each key, found by the keyed hash of the key itself. */
export const apiKeys: ReadModel<ApiKeyRow> = {
  name: 'api_keys',
  version: 3,
  category: Merchant.category,
  ids: ApiKeyId,
  row: ApiKeyRow,
  fold,
  rowOf: ({ data }) => (typeof data.keyId === 'string' ? data.keyId : null),
  columns: ({ key, revokedAt }) => ({ lookupKey: key.keyHash, status: revokedAt === null ? 'active' : 'revoked' }),
}
