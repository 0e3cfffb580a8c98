import type { xdr } from '@stellar/stellar-sdk'
import type { Memo } from '../incoming-payment.ts'

const hex = ({ value }: xdr.Hash): string => Buffer.from(value).toString('hex')

/**
 * A memo as plain text. Bytes that are no UTF-8 become replacement characters: such a memo matches nothing of ours, and
 * is only shown.
 */
export const memoOf = (memo: xdr.Memo): Memo => {
  switch (memo.type) {
    case 'memoNone':
      return { _tag: 'none' }
    case 'memoText':
      return { _tag: 'text', value: Buffer.from(memo.text.bytes).toString('utf8') }
    case 'memoId':
      return { _tag: 'id', value: memo.id.toString() }
    case 'memoHash':
      return { _tag: 'hash', value: hex(memo.hash) }
    case 'memoReturn':
      return { _tag: 'return', value: hex(memo.retHash) }
  }
}
