import { readFileSync, statSync } from 'node:fs'
import { AccountId, ContractId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Screening, ScreeningUnavailable } from './port.ts'

/** What was read, and of which version of the file. */
type Read = { readonly version: string; readonly list: E.Either<ScreeningUnavailable, ReadonlySet<string>> }

/**
 * A file with an address (`G…`, `C…`) in each line; `#` begins a comment. It is read again when it has changed. A file that
 * is missing or empty, or has a line that is no address, lists nobody for sure: then nothing may go on.
 */
export const denyFile = (path: string): Screening => {
  let known: Read | null = null
  const now = (): Read['list'] => {
    try {
      const { mtimeNs, ctimeNs, size, ino } = statSync(path, { bigint: true })
      const version = `${mtimeNs} ${ctimeNs} ${size} ${ino}`
      if (known?.version !== version) known = { version, list: listIn(readFileSync(path, 'utf8')) }
      return known.list
    } catch {
      return unavailable('the deny list cannot be read')
    }
  }
  return {
    isOn: true,
    listed: (addresses) => async () =>
      E.map((list: ReadonlySet<string>) => new Set(addresses.filter((address) => list.has(address))))(now()),
  }
}

const unavailable = (cause: string): E.Either<ScreeningUnavailable, never> =>
  E.left({ _tag: 'ScreeningUnavailable', cause })

const listIn = (text: string): Read['list'] => {
  if (text.trim() === '') return unavailable('the deny list is empty: a list of nobody has a comment (#)')
  const list = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    const address = (line.split('#')[0] ?? '').trim()
    if (address === '') continue
    if (!AccountId.is(address) && !ContractId.is(address))
      return unavailable(`line ${index + 1} of the deny list is no address`)
    list.add(address)
  }
  return E.right(list)
}
