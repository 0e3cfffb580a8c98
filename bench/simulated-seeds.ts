import { buildFixture, simulate } from '@quittance/simulation'

/** Run as a process of its own: plays so many seeds from one on, and prints how each went. */
const [first = 0, count = 0] = process.argv.slice(2).map(Number)
const fixture = await buildFixture()
for (let seed = first; seed < first + count; seed++) {
  const { broken, met } = await simulate(fixture, seed)
  process.stdout.write(`${JSON.stringify({ seed, broken, met })}\n`)
}
