import { createRequire } from 'node:module'

const sequencer: typeof import('@jest/test-sequencer') = createRequire(import.meta.url)('@jest/test-sequencer')
const Sequencer = sequencer.default

/**
 * The suites that take longest, which start first: a machine that has never run them would order suites by the size of
 * their files, and wait for the last one alone.
 */
const longest: ReadonlyArray<string> = [
  'simulate.long',
  'planted-bugs.long',
  'idempotency/killed.long',
  'backup-kill.long',
  'refund-kill.long',
  'apps/http/src/kill.long',
  'payout-kill.long',
  'copy-kill.pg',
  'key-changes-crash.long',
  'migrations/crash.long',
  'restore-kill.long',
  'ingest/isolation.long',
  'every-byte.long',
  'year.long',
  'believed-then.long',
  'rotation-kill.long',
  'dashboard-looks.browser',
]

type Test = Parameters<InstanceType<typeof Sequencer>['cacheResults']>[0][number]

const rank = ({ path }: Test): number => {
  const place = longest.findIndex((name) => path.includes(name))
  return place === -1 ? longest.length : place
}

type ShardOptions = Parameters<InstanceType<typeof Sequencer>['shard']>[1]

export default class LongestFirst extends Sequencer {
  override async sort(tests: Array<Test>): Promise<Array<Test>> {
    return (await super.sort(tests)).toSorted((one, other) => rank(one) - rank(other))
  }

  /** Deals the suites out, the longest first, so that all shards take about as long. */
  override shard(tests: Array<Test>, { shardIndex, shardCount }: ShardOptions): Array<Test> {
    return tests
      .toSorted((one, other) => rank(one) - rank(other) || one.path.localeCompare(other.path))
      .filter((_, place) => place % shardCount === shardIndex - 1)
  }
}
