import * as t from 'io-ts'
import { brandedString } from './branded.ts'
import { strict } from './strict.ts'
import { Text } from './text.ts'

/** A numeric memo: unsigned decimal digits of 64 bits. */
export const MemoId = brandedString<{ readonly MemoId: symbol }>(
  'MemoId',
  (text) => /^(?:0|[1-9][0-9]{0,19})$/.test(text) && BigInt(text) < 2n ** 64n,
)
export type MemoId = t.TypeOf<typeof MemoId>

const longestBytes = 28

/** A memo of 1 to 28 bytes of UTF-8. */
export const MemoText = brandedString<{ readonly Text: symbol; readonly MemoText: symbol }>(
  'MemoText',
  (text) => Text.is(text) && text.length > 0 && new TextEncoder().encode(text).length <= longestBytes,
)
export type MemoText = t.TypeOf<typeof MemoText>

/** What tells the receiver of an account that belongs to many whose the money is. */
export const Memo = t.union(
  [strict({ type: t.literal('text'), value: MemoText }), strict({ type: t.literal('id'), value: MemoId })],
  'Memo',
)
export type Memo = t.TypeOf<typeof Memo>
