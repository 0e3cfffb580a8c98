import type { Memo } from './incoming-payment.ts'

const types = { text: 'MEMO_TEXT', id: 'MEMO_ID', hash: 'MEMO_HASH', return: 'MEMO_RETURN' } as const

const MEMO_TEXT_BYTES = 28
const LARGEST_ID = 2n ** 64n - 1n

const isHashType = (type: string): boolean => type === 'MEMO_HASH' || type === 'MEMO_RETURN'

/** `memo` and `memo_type`; hashes are base64 on the wire, and hex in a `Memo`. */
export const memoParameters = (memo: Memo): Readonly<Record<string, string>> => {
  if (memo._tag === 'none') return {}
  const memo_type = types[memo._tag]
  return { memo: isHashType(memo_type) ? Buffer.from(memo.value, 'hex').toString('base64') : memo.value, memo_type }
}

const hashed = (_tag: 'hash' | 'return', text: string): Memo | null => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === 32 && bytes.toString('base64') === text ? { _tag, value: bytes.toString('hex') } : null
}

/** The memo that two parameters name; null for what no transaction could carry. A memo without a type is a text. */
export const readMemo = (memo: string | undefined, type = 'MEMO_TEXT'): Memo | null => {
  if (memo === undefined) return { _tag: 'none' }
  switch (type) {
    case 'MEMO_TEXT':
      return Buffer.byteLength(memo) <= MEMO_TEXT_BYTES ? { _tag: 'text', value: memo } : null
    case 'MEMO_ID':
      return /^(0|[1-9]\d{0,19})$/.test(memo) && BigInt(memo) <= LARGEST_ID ? { _tag: 'id', value: memo } : null
    case 'MEMO_HASH':
      return hashed('hash', memo)
    case 'MEMO_RETURN':
      return hashed('return', memo)
    default:
      return null
  }
}
