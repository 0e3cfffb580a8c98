import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { brandedString } from './branded.ts'

const maximumKeys = 50
const maximumKeyLength = 40
const maximumBytes = 16 * 1024
const maximumDepth = 100

const parsedObject = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return t.UnknownRecord.is(value) && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/**
 * A merchant's metadata as the JSON text of one object. Events hold it as text because it may contain fractions, and
 * no float may enter the canonical JSON that is hashed.
 */
export const MetadataText = brandedString<{ readonly MetadataText: symbol }>(
  'MetadataText',
  (text) => text.startsWith('{') && text.endsWith('}') && parsedObject(text) !== null,
)
export type MetadataText = t.TypeOf<typeof MetadataText>

/** Why metadata is refused. */
export type MetadataRejection =
  | { readonly _tag: 'MetadataNotAnObject' }
  | { readonly _tag: 'MetadataTooManyKeys'; readonly maximum: number }
  | { readonly _tag: 'MetadataKeyTooLong'; readonly key: string; readonly maximum: number }
  | { readonly _tag: 'MetadataTooLarge'; readonly maximumBytes: number }
  | { readonly _tag: 'MetadataTooDeep'; readonly maximum: number }
  | { readonly _tag: 'MetadataValueNotText'; readonly key: string }

/** `text`: every value is a string (a customer's metadata); `any`: any JSON value. */
export type MetadataValues = 'any' | 'text'

const named = (text: string): MetadataText => {
  if (MetadataText.is(text)) return text
  throw new RangeError('the text is no JSON object')
}

/** Metadata without a value. */
export const noMetadata: MetadataText = named('{}')

/** The object that the text holds. */
export const metadataValues = (text: MetadataText): Readonly<Record<string, unknown>> => parsedObject(text) ?? {}

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1)))

/**
 * Metadata after a change: the patch's keys are laid over the current ones, `null` removes a key. A record's first
 * metadata is a patch over `noMetadata`. The limits (50 keys of 40 characters, 16 KiB of JSON in UTF-8) hold for the
 * result, so a patch may also make room.
 * Errors: the limit that the result breaks; `MetadataTooDeep` beyond 100 levels, its own included.
 */
export const mergeMetadata = (
  current: MetadataText,
  patch: unknown,
  values: MetadataValues = 'any',
): E.Either<MetadataRejection, MetadataText> => {
  if (!t.UnknownRecord.is(patch) || Array.isArray(patch)) return E.left({ _tag: 'MetadataNotAnObject' })
  if (isDeeperThan(patch, maximumDepth)) return E.left({ _tag: 'MetadataTooDeep', maximum: maximumDepth })
  const merged = Object.entries({ ...metadataValues(current), ...patch }).filter(([, value]) => value !== null)
  if (merged.length > maximumKeys) return E.left({ _tag: 'MetadataTooManyKeys', maximum: maximumKeys })
  for (const [key, value] of merged) {
    if ([...key].length > maximumKeyLength)
      return E.left({ _tag: 'MetadataKeyTooLong', key, maximum: maximumKeyLength })
    if (values === 'text' && typeof value !== 'string') return E.left({ _tag: 'MetadataValueNotText', key })
  }
  const text = JSON.stringify(Object.fromEntries(merged))
  if (new TextEncoder().encode(text).length > maximumBytes) return E.left({ _tag: 'MetadataTooLarge', maximumBytes })
  return E.right(named(text))
}
