import { readFileSync } from 'node:fs'
import type { Witness } from '@quittance/billing'
import { parseVerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { httpUrl, matching, type Settings } from './settings.ts'

const expected = 'a file with the address and the verifier key of a witness on each line'

const witnessIn = (line: string): Witness | null => {
  const [address = '', vkey = '', ...others] = line.split(/\s+/)
  const key = parseVerifierKey(vkey)
  if (others.length > 0 || httpUrl(address) === null || E.isLeft(key) || key.right.type !== 'cosignature/v1')
    return null
  return { url: address.replace(/\/+$/, ''), key: key.right }
}

/** The witnesses that a file lists, one a line; `#` begins a comment. None unless a file is named. */
export const witnessesIn = ({ read, complain }: Settings): ReadonlyArray<Witness> => {
  const path = read<string | null>('WITNESSES', expected, matching(/./), null)
  if (path === null) return []
  const text = E.tryCatch(() => readFileSync(path, 'utf8'), String)
  if (E.isLeft(text)) {
    complain({ variable: 'QUITTANCE_WITNESSES', expected: `${expected}: there is no file ${path} that can be read` })
    return []
  }
  const lines = text.right.split('\n').map((line, at) => ({ at: at + 1, line: line.replace(/#.*/, '').trim() }))
  const listed = lines.filter(({ line }) => line !== '').map(({ at, line }) => ({ at, witness: witnessIn(line) }))
  for (const { at, witness } of listed)
    if (witness === null)
      complain({ variable: 'QUITTANCE_WITNESSES', expected: `${expected}: line ${at} of ${path} is none` })
  return listed.flatMap(({ witness }) => (witness === null ? [] : [witness]))
}
