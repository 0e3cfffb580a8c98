import { type JsonObject, TransactionHash } from '@quittance/domain'
import { canonicalJson } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { JsonMembers } from './json-object.ts'

const matching = (name: string, pattern: RegExp): t.Type<string, string, unknown> =>
  new t.Type(
    name,
    (input): input is string => typeof input === 'string' && pattern.test(input),
    (input, context) =>
      typeof input === 'string' && pattern.test(input) ? t.success(input) : t.failure(input, context),
    t.identity,
  )

const Hex32 = matching('Hex32', /^[0-9a-f]{64}$/)
/** 32 bytes in standard base64: 42 digits, one with two bits that are zero, and padding. */
const Base64Hash = matching('Base64Hash', /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/)
const isWhole = (input: unknown): input is number =>
  typeof input === 'number' && Number.isSafeInteger(input) && input >= 0
const Whole = new t.Type<number, number, unknown>(
  'Whole',
  isWhole,
  (input, context) => (isWhole(input) ? t.success(input) : t.failure(input, context)),
  t.identity,
)

/** What evidence can be about. */
export const EvidenceKind = t.keyof({ customer: null, payment: null, subscription: null }, 'EvidenceKind')
export type EvidenceKind = t.TypeOf<typeof EvidenceKind>

/**
 * Why the content of an event is not shown: it names another customer; it tells when a charge is tried again, which is secret
 * until then; or it names a person of the operator.
 */
export const WithheldReason = t.keyof(
  { names_another_customer: null, retry_is_secret: null, names_an_operator: null },
  'WithheldReason',
)
export type WithheldReason = t.TypeOf<typeof WithheldReason>

/** The hashed text of an event is the canonical JSON of this object. */
const ShownEvent = t.strict(
  {
    data: JsonMembers,
    id: t.string,
    metadata: JsonMembers,
    revision: Whole,
    schemaVersion: Whole,
    stream: t.string,
    type: t.string,
  },
  'ShownEvent',
)
export type ShownEvent = t.TypeOf<typeof ShownEvent>

/**
 * The place of an event in the log. `index` counts from 0; `inclusion` is the proof of RFC 6962 for the last checkpoint.
 * Units: `recorded_at` is Unix milliseconds, by the clock of the store.
 */
const place = { index: Whole, recorded_at: Whole, inclusion: t.readonlyArray(Base64Hash) }

const EvidenceEvent = t.union(
  [
    t.strict({ event: ShownEvent, ...place }),
    t.strict({ withheld: t.strict({ hash: Hex32, reason: WithheldReason }), ...place }),
  ],
  'EvidenceEvent',
)
export type EvidenceEvent = t.TypeOf<typeof EvidenceEvent>

/** A stream from its first event on. */
const EvidenceStream = t.strict({ events: t.readonlyArray(EvidenceEvent), stream: t.string }, 'EvidenceStream')
export type EvidenceStream = t.TypeOf<typeof EvidenceStream>

/** A signed checkpoint, and the proof of RFC 6962 that the last one continues it; none of the last one itself. */
const EvidenceCheckpoint = t.strict({ consistency: t.readonlyArray(Base64Hash), note: t.string }, 'EvidenceCheckpoint')

/** A transaction on a Stellar ledger whose memo is the SHA-256 of the text of a checkpoint, by its place here. */
const EvidenceAnchor = t.strict(
  { checkpoint: Whole, network_passphrase: t.string, transaction_hash: TransactionHash },
  'EvidenceAnchor',
)
export type EvidenceAnchor = t.TypeOf<typeof EvidenceAnchor>

/**
 * Evidence about a payment, a subscription or a customer. The file is the canonical JSON (RFC 8785) of this, and a newline.
 * `keys` are verifier keys of whoever signed the checkpoints, as the bundle tells them: compare them with your own.
 * Source: docs/evidence/format.md.
 */
export const Evidence = t.strict(
  {
    about: t.strict({ id: t.string, kind: EvidenceKind }),
    anchors: t.readonlyArray(EvidenceAnchor),
    checkpoints: t.readonlyArray(EvidenceCheckpoint),
    format: t.literal('quittance-evidence@v1'),
    keys: t.readonlyArray(t.string),
    streams: t.readonlyArray(EvidenceStream),
  },
  'Evidence',
)
export type Evidence = t.TypeOf<typeof Evidence>

/** Why a text is no evidence: no JSON, not of this shape, or not the one text that stands for its value. */
export type MalformedEvidence = {
  readonly _tag: 'MalformedEvidence'
  readonly problem: 'not_json' | 'other_shape' | 'not_canonical'
}

const malformed = (problem: MalformedEvidence['problem']): E.Either<MalformedEvidence, never> =>
  E.left({ _tag: 'MalformedEvidence', problem })

/** Evidence as the text of a file. `parseEvidence` reads it back. */
export const printEvidence = (evidence: Evidence): string => `${canonicalJson(membersOf(evidence))}\n`

const membersOf = (evidence: Evidence): JsonObject => ({ ...Evidence.encode(evidence) })

/** The text that an event's hash covers, after the hash of its predecessor. */
export const hashedTextOf = (event: ShownEvent): string => canonicalJson({ ...event })

const parsed = (text: string): E.Either<MalformedEvidence, unknown> => {
  try {
    return E.right(JSON.parse(text))
  } catch {
    return malformed('not_json')
  }
}

const isCanonical = (evidence: Evidence, text: string): boolean => {
  try {
    return printEvidence(evidence) === text
  } catch {
    // A lone surrogate has no canonical text.
    return false
  }
}

/**
 * Reads evidence. Nothing is verified.
 * Errors: `MalformedEvidence` for any text that `printEvidence` does not write back letter by letter.
 */
export const parseEvidence = (text: string): E.Either<MalformedEvidence, Evidence> => {
  const json = parsed(text)
  if (E.isLeft(json)) return json
  const evidence = Evidence.decode(json.right)
  if (E.isLeft(evidence)) return malformed('other_shape')
  return isCanonical(evidence.right, text) ? evidence : malformed('not_canonical')
}
