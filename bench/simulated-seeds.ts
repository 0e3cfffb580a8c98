import { fixtures, simulate, type World } from '@quittance/simulation'

/** Run as a process of its own: plays so many seeds of a world from one on, and prints how each went. */
const [world = '', ...numbers] = process.argv.slice(2)
const [first = 0, count = 0] = numbers.map(Number)
const isWorld = (name: string): name is World => Object.hasOwn(fixtures, name)
if (!isWorld(world)) throw new Error(`${world} is no world`)
const fixture = await fixtures[world]()
for (let seed = first; seed < first + count; seed++) {
  const { broken, outcomes } = await simulate(fixture, seed)
  process.stdout.write(`${JSON.stringify({ seed, broken, outcomes })}\n`)
}
