import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { conformanceFolder, conformanceLines, describeConformance } from '../../testing/conformance.ts'
import { compareFolder } from './compare.ts'
import type { KnownChange, PublishedLedger } from './published.ts'

describeConformance('comparing with what is known of published ledgers', () => {
  it('agrees on every line, and finds nothing else', async () => {
    const differences: Array<string> = []
    const comparison = await compareFolder(conformanceFolder, (difference) => differences.push(difference))
    expect(differences).toEqual([])
    expect(comparison).toEqual({
      ledgers: 1188,
      unreadable: 0,
      refused: 1,
      transactions: 1355,
      agreed: 1267,
      missing: 0,
      extra: 0,
      disagreements: 0,
      payments: 754,
      contradictions: 0,
    })
  })

  describe('in another folder', () => {
    let folder: string
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'quittance-conformance-'))
      for (const file of ['index.json', 'testnet.jsonl.gz'])
        cpSync(join(conformanceFolder, 'ledger-close-meta', file), join(folder, 'ledger-close-meta', file))
    })
    afterEach(() => rmSync(folder, { recursive: true }))

    const known = conformanceLines<KnownChange>('expected-credits.jsonl.gz').filter(({ source }) =>
      source.startsWith('testnet/'),
    )
    const given = (changes: ReadonlyArray<KnownChange>): void =>
      writeFileSync(
        join(folder, 'expected-credits.jsonl.gz'),
        gzipSync(changes.map((change) => `${JSON.stringify(change)}\n`).join('')),
      )
    const run = (...options: ReadonlyArray<string>) =>
      spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), folder, ...options], { encoding: 'utf8' })

    it('prints its numbers, and exits with 0 when all agree', () => {
      given(known)
      const { status, stdout } = run('--json')
      expect(JSON.parse(stdout)).toEqual({
        ledgers: 2,
        unreadable: 0,
        refused: 0,
        transactions: 10,
        agreed: known.length,
        missing: 0,
        extra: 0,
        disagreements: 0,
        payments: 4,
        contradictions: 0,
      })
      expect(status).toBe(0)
    })

    it('counts and shows missing, extra and different lines, and exits with 1', () => {
      const [first, second, ...others] = known
      if (first === undefined || second === undefined) throw new Error('there are no known changes')
      given([
        { ...first, delta: `${BigInt(first.delta) + 1n}` },
        { ...second, account: first.account, asset: 'none' },
        ...others,
      ])
      const { status, stdout, stderr } = run('--json')
      expect(JSON.parse(stdout)).toMatchObject({
        agreed: others.length,
        missing: 1,
        extra: 1,
        disagreements: 1,
        // The second reading asks the known lines how much arrived.
        contradictions: 1,
      })
      expect(stderr.trim().split('\n').length).toBe(4)
      expect(status).toBe(1)
    })

    it('counts ledgers that cannot be read, and exits with 1', () => {
      const published = conformanceLines<PublishedLedger>('ledger-close-meta/testnet.jsonl.gz')
      writeFileSync(
        ledgers(),
        gzipSync(published.map((each) => `${JSON.stringify({ ...each, xdr: each.xdr.slice(0, 400) })}\n`).join('')),
      )
      given(known)
      const { status, stdout, stderr } = run('--json')
      expect(JSON.parse(stdout)).toMatchObject({ ledgers: 2, unreadable: 2, agreed: 0, missing: known.length })
      expect(stderr.match(/cannot be read/g)).toHaveLength(2)
      expect(status).toBe(1)
    })

    const ledgers = () => join(folder, 'ledger-close-meta', 'testnet.jsonl.gz')
    it.each<[string, () => void]>([
      ['is no ledger-close-meta/index.json', () => rmSync(join(folder, 'ledger-close-meta', 'index.json'))],
      ['is no expected-credits.jsonl.gz', () => rmSync(join(folder, 'expected-credits.jsonl.gz'))],
      ['is a file cut off', () => writeFileSync(ledgers(), readFileSync(ledgers()).subarray(0, 3000))],
      ['is a file that is no gzip', () => writeFileSync(ledgers(), 'hello')],
      ['is a line that is no JSON', () => writeFileSync(ledgers(), gzipSync('{"source":'))],
      ['is a known line twice', () => given([...known, ...known.slice(0, 1)])],
      ['is a delta that is no number', () => given(known.map((change) => ({ ...change, delta: '1.5' })))],
    ])('compares nothing where there %s, and says so in a line', (_, spoil) => {
      given(known)
      spoil()
      const { status, stdout, stderr } = run('--json')
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr).toMatch(/^nothing can be compared: .*((index\.json|\.jsonl\.gz): .+|is known twice)\n$/)
    })

    it('fails where there are no ledgers', () => {
      given([])
      rmSync(ledgers())
      const { status, stdout, stderr } = run('--json')
      expect(JSON.parse(stdout)).toMatchObject({ ledgers: 0, agreed: 0, missing: 0 })
      expect({ status, stderr }).toEqual({ status: 1, stderr: 'there are no ledgers in the folder\n' })
    })

    it('prints lines for people without --json', () => {
      given(known)
      expect(run().stdout).toMatch(
        /^ledgers +2\nunreadable +0\nrefused +0\ntransactions +10\nagreed +\d+\nmissing +0\nextra +0\ndisagreements +0\npayments +4\ncontradictions +0\n$/,
      )
    })
  })
})
