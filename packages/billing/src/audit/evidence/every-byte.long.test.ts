import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printVerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { evidenceFile, strangerKey } from '../../testing/evidence-sample.ts'
import { right } from '../../testing/outcomes.ts'
import { witnessedEvidence } from './testing/witnessed-shop.ts'
import { policyOf, verifyEvidence } from './verify-evidence.ts'

const docs = new URL('../../../../../docs/evidence/', import.meta.url).pathname

/** The bytes that stand where there was one byte. */
const changes = {
  replaced: (byte: number) => [byte ^ 1],
  removed: () => [],
} as const
type Change = keyof typeof changes

/** Changes a file at every place in one process, and prints where the changed file still verifies. What depends on nothing else is computed once. */
const driver = `
import functools, json, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import verify
for pure in ('is_signed', 'b64', 'verifier_key'):
    setattr(verify, pure, functools.lru_cache(None)(getattr(verify, pure)))
data = open(sys.argv[2], 'rb').read()
def verifies(changed):
    try:
        verify.verify(changed, sys.argv[4], sys.argv[5:])
        return True
    except Exception:
        return False
changes = {
    'replaced': lambda byte: bytes([byte ^ 1]),
    'removed': lambda byte: b'',
}
passed = {how: [at for at in range(len(data)) if verifies(data[:at] + changes[how](data[at]) + data[at + 1:])]
          for how in sys.argv[3].split(',')}
print(json.dumps({'unchanged': verifies(data), **passed}))
`

const python = (args: ReadonlyArray<string>): string =>
  execFileSync('python3', ['-B', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

type Bundle = { readonly text: string; readonly key: string; readonly witness: string }
const bundles: ReadonlyArray<readonly [string, () => Promise<Bundle>, ReadonlyArray<Change>]> = [
  ['a sandbox, which a ledger anchors and a witness has cosigned', witnessedEvidence, ['replaced']],
  ['a log in memory, with an event that is withheld', evidenceFile, ['removed']],
]

describe.each(bundles)('evidence of %s, with one byte changed', (_, made, hows) => {
  let bundle: Bundle
  let folder: string
  beforeAll(async () => {
    bundle = await made()
    folder = mkdtempSync(join(tmpdir(), 'quittance-evidence-'))
    writeFileSync(join(folder, 'evidence.json'), bundle.text)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(hows)('is refused where the byte is %s, at every place', (how) => {
    const policy = right(policyOf([bundle.key], [bundle.witness], 1))
    const bytes = Buffer.from(bundle.text)
    const passed = [...bytes.entries()].filter(([at, byte]) => {
      const changed = [bytes.subarray(0, at), Buffer.from(changes[how](byte)), bytes.subarray(at + 1)]
      return E.isRight(verifyEvidence(Buffer.concat(changed).toString(), policy))
    })
    expect({ unchanged: verifyEvidence(bundle.text, policy)._tag, passed }).toEqual({ unchanged: 'Right', passed: [] })
  })

  it('is refused by the verifier in Python, too', () => {
    const words = [docs, join(folder, 'evidence.json'), hows.join(','), bundle.key, bundle.witness]
    const passed = Object.fromEntries(hows.map((how) => [how, []]))
    expect(JSON.parse(python(['-c', driver, ...words]))).toEqual({ unchanged: true, ...passed })
  })

  it('is not in what the verifier in Python accepts on a command line, by the keys that it is given', () => {
    const verify = (...keys: ReadonlyArray<string>) =>
      python([join(docs, 'verify.py'), join(folder, 'evidence.json'), ...keys])
    const { key, witness } = bundle
    expect(verify(key, witness)).toMatch(/^ok: \d+ events\n$/)
    expect(() => verify(printVerifierKey(strangerKey.key))).toThrow()
    expect(() => verify(key, key)).toThrow()
    expect(() => verify(witness)).toThrow()
  })
})
