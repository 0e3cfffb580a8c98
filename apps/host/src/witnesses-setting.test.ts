import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printVerifierKey, type VerifierKey } from '@quittance/transparency'
import { configFrom } from './config.ts'

const keyOf = (name: string, byte: number): VerifierKey => ({
  name,
  type: 'cosignature/v1',
  publicKey: new Uint8Array(32).fill(byte),
})
const [one, two] = [keyOf('one.example/w', 1), keyOf('two.example/w', 2)]

describe('the file of witnesses', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-witnesses-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const read = (text: string) => {
    const path = join(folder, 'witnesses.txt')
    writeFileSync(path, text)
    return configFrom({ QUITTANCE_WITNESSES: path })
  }

  it('has an address and a key on each line, and comments', () => {
    const text = `# ours\nhttps://one.example/ ${printVerifierKey(one)} # Ada\n\n  http://127.0.0.1:3500\t${printVerifierKey(two)}\n`
    expect(read(text)).toMatchObject({
      right: {
        witnesses: [
          { url: 'https://one.example', key: { name: one.name, type: one.type } },
          { url: 'http://127.0.0.1:3500', key: { name: two.name, type: two.type } },
        ],
      },
    })
  })

  it('names nobody unless it is set', () => {
    expect(configFrom({})).toMatchObject({ right: { witnesses: [] } })
  })

  it.each([
    ['an address alone', 'https://one.example'],
    ['another key', `https://one.example ${printVerifierKey({ ...one, type: 'ed25519' })}`],
    ['a key with mixed up letters', `https://one.example ${printVerifierKey(one).replace('one', 'eno')}`],
    ['no address', `one ${printVerifierKey(one)}`],
    ['more than that', `https://one.example ${printVerifierKey(one)} more`],
  ])('is refused where a line is %s', (_, line) => {
    expect(read(`\n${line}\n`)).toMatchObject({
      left: [{ variable: 'QUITTANCE_WITNESSES', expected: expect.stringMatching(/: line 2 of .* is none$/) }],
    })
  })

  it('is refused where it is missing', () => {
    expect(configFrom({ QUITTANCE_WITNESSES: join(folder, 'nothing') })).toMatchObject({
      left: [{ variable: 'QUITTANCE_WITNESSES', expected: expect.stringMatching(/there is no file/) }],
    })
  })
})
