import { agrees, recordedExchanges } from '../testing/recorded-exchanges.ts'

const recorded = recordedExchanges()
if (recorded.length === 0) process.stderr.write('recorded exchanges are not at hand: nothing is compared with them\n')

if (recorded.length > 0)
  describe('an exchange on the public network', () => {
    it('a recorded public exchange has the same result and changes, byte for byte', () => {
      const differing = recorded.filter((each) => !agrees(each))
      expect(differing.map(({ hash }) => hash)).toEqual([])
      expect(recorded.length).toBe(111)
    })
  })
