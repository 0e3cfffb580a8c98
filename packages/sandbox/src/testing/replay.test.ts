import { completeStreams, replay } from './replay.ts'

const streams = completeStreams()
if (streams.length === 0) process.stderr.write('recorded ledgers are not at hand: no stream is replayed\n')

if (streams.length > 0)
  describe('a recorded network from its first ledger on', () => {
    it('replaying a recorded network gives the same results, fees, sequence numbers and entries, byte for byte', () => {
      const differing = streams.map((stream) => ({ name: stream.name, differences: replay(stream) }))
      expect(differing.filter(({ differences }) => differences.length > 0)).toEqual([])
      expect(streams.length).toBe(37)
    })
  })
