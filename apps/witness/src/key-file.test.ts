import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { makeKey, publicKeyOf, readKey } from './key-file.ts'

describe('the file of a key', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-witness-key-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is made beside what a start of the same process id left when it was killed', () => {
    const path = join(folder, 'key.pem')
    const left = `key.pem.${process.pid}`
    writeFileSync(join(folder, left), 'half a key')
    makeKey(path)
    const key = readKey(path)
    expect(E.isRight(key) && publicKeyOf(key.right)).toHaveLength(32)
    expect(readdirSync(folder).sort()).toEqual(['key.pem', left])
  })
})
