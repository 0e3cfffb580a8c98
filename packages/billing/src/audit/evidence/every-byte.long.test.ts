import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printVerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { evidenceSample, logKey, strangerKey, witnessKey } from '../../testing/evidence-sample.ts'
import { printEvidence } from './format.ts'
import { verifyEvidence } from './verify-evidence.ts'

const [log, witness, stranger] = [logKey, witnessKey, strangerKey].map(({ key }) => printVerifierKey(key))
const docs = new URL('../../../../../docs/evidence/', import.meta.url).pathname

/** Changes a file at every place in one process, and prints where the changed file still verifies. Signatures are computed once. */
const driver = `
import functools, json, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import verify
verify.is_signed = functools.lru_cache(None)(verify.is_signed)
data = open(sys.argv[2], 'rb').read()
def verifies(changed):
    try:
        verify.verify(changed, sys.argv[3], sys.argv[4:])
        return True
    except Exception:
        return False
changes = {
    'nothing': [data],
    'replaced': [data[:at] + bytes([data[at] ^ 1]) + data[at + 1:] for at in range(len(data))],
    'removed': [data[:at] + data[at + 1:] for at in range(len(data))],
    'inserted': [data[:at] + b' ' + data[at:] for at in range(len(data) + 1)],
}
print(json.dumps({how: [at for at, each in enumerate(all) if verifies(each)] for how, all in changes.items()}))
`

describe('evidence with one byte changed', () => {
  let text: string
  beforeAll(async () => {
    text = printEvidence(await evidenceSample())
  })

  it.each(['replaced', 'removed', 'inserted'])('is refused where the byte was %s, at every place', (how) => {
    const policy = { logs: [logKey.key], witnesses: [witnessKey.key], quorum: 1 }
    const bytes = Buffer.from(text)
    const passed: Array<number> = []
    for (let at = 0; at <= bytes.length - (how === 'inserted' ? 0 : 1); at++) {
      const added = how === 'removed' ? [] : how === 'inserted' ? [0x20] : [(bytes[at] ?? 0) ^ 1]
      const rest = bytes.subarray(how === 'inserted' ? at : at + 1)
      const changed = Buffer.concat([bytes.subarray(0, at), Buffer.from(added), rest])
      if (E.isRight(verifyEvidence(changed.toString(), policy))) passed.push(at)
    }
    expect(passed).toEqual([])
  })

  describe('and the verifier in Python', () => {
    let folder: string
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'quittance-evidence-'))
      writeFileSync(join(folder, 'evidence.json'), text)
    })
    afterAll(() => rmSync(folder, { recursive: true }))

    const python = (args: ReadonlyArray<string>): string =>
      execFileSync('python3', ['-B', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

    it('accepts the evidence alone, and refuses each changed one', () => {
      const printed = python(['-c', driver, docs, join(folder, 'evidence.json'), log ?? '', witness ?? ''])
      expect(JSON.parse(printed)).toEqual({ nothing: [0], replaced: [], removed: [], inserted: [] })
    })

    it('answers on a command line, and believes no key that it was not given', () => {
      const verify = (...keys: ReadonlyArray<string | undefined>) =>
        python([join(docs, 'verify.py'), join(folder, 'evidence.json'), ...keys.map((key) => key ?? '')])
      expect(verify(log, witness)).toBe('ok: 5 events\n')
      expect(() => verify(stranger)).toThrow()
      expect(() => verify(log, log)).toThrow()
      expect(() => verify(witness)).toThrow()
    })
  })
})
