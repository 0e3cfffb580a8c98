import { fixtures, simulate, type World } from '@quittance/simulation'

/** A process that runs consecutive seeds of a world and prints each result. */
const [world = '', ...numbers] = process.argv.slice(2)
const [first = 0, count = 0] = numbers.map(Number)
const isWorld = (name: string): name is World => Object.hasOwn(fixtures, name)
if (!isWorld(world)) throw new Error(`${world} is not a world`)
const fixture = await fixtures[world]()
for (let seed = first; seed < first + count; seed++) {
  const { broken, outcomes } = await simulate(fixture, seed)
  process.stdout.write(`${JSON.stringify({ seed, broken, outcomes })}\n`)
}
