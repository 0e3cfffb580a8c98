import { sign } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseVerifierKey, printVerifierKey, type SignBytes, type VerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { makeKey, publicKeyOf, readKey, type UnfitKey } from './key-file.ts'
import { openState, type WitnessState } from './state.ts'

/** Why a data directory cannot be used: its key or its database is missing, or they do not belong together. */
export type UnfitDirectory =
  | UnfitKey
  | { readonly _tag: 'KeyMissing' }
  | { readonly _tag: 'StateMissing' }
  | { readonly _tag: 'OtherName'; readonly name: string }
  | { readonly _tag: 'OtherKey' }

/** A witness: its key, how it signs, and what it remembers. */
export type Witness = { readonly key: VerifierKey; readonly sign: SignBytes<never>; readonly state: WitnessState }

const keyFile = 'key.pem'
const stateFile = 'state.sqlite'

/** Whether the state belongs to this key. A state without an identity has cosigned nothing: its first start has not ended. */
const claim = (state: WitnessState, key: VerifierKey): E.Either<UnfitDirectory, void> => {
  const [own, recorded] = [printVerifierKey(key), state.identity()]
  if (recorded === own) return E.right(undefined)
  if (recorded === null) return E.right(state.identify(own))
  const other = parseVerifierKey(recorded)
  return E.isRight(other) && other.right.name !== key.name
    ? E.left({ _tag: 'OtherName', name: other.right.name })
    : E.left({ _tag: 'OtherKey' })
}

const openKey = (folder: string, name: string, state: WitnessState): E.Either<UnfitDirectory, Witness> => {
  const path = join(folder, keyFile)
  if (!existsSync(path)) {
    if (state.identity() !== null) return E.left({ _tag: 'KeyMissing' })
    makeKey(path)
  }
  const privateKey = readKey(path)
  if (E.isLeft(privateKey)) return privateKey
  const key: VerifierKey = { name, type: 'cosignature/v1', publicKey: publicKeyOf(privateKey.right) }
  const claimed = claim(state, key)
  if (E.isLeft(claimed)) return claimed
  return E.right({ key, sign: (bytes) => TE.right(sign(null, bytes, privateKey.right)), state })
}

/**
 * Opens the data directory of a witness, and makes it, its database and its key at the first start, in this order. So a key
 * without a database means that the database was lost, and with it what the key has cosigned.
 * Errors: `UnfitDirectory`.
 */
export const openWitness = (folder: string, name: string): E.Either<UnfitDirectory, Witness> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (existsSync(join(folder, keyFile)) && !existsSync(join(folder, stateFile))) return E.left({ _tag: 'StateMissing' })
  const state = openState(join(folder, stateFile))
  const witness = openKey(folder, name, state)
  if (E.isLeft(witness)) state.close()
  return witness
}
