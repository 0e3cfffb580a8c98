import { countedStatements } from '@quittance/event-store/testing/counted-statements'
import { done } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { book, command, options } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'

const counted = countedStatements()
let front: StoreFront
let platform: TestPlatform
beforeAll(async () => {
  front = await openStoreFront()
  platform = await openPlatform(front.network, front.folder.path, undefined, 'embedded')
})
afterAll(async () => {
  counted.stop()
  await platform.close()
  await front.close()
})

/** Without those of the sandbox, which is no part of the service. */
const taken = (): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(counted.take()).filter(([name]) => !name.includes('sandbox')))

it('a checkout that may be a repetition reads nothing but its own stream, and shares its commit', async () => {
  const { id } = await done(platform.billing.products.create(command(platform, front.merchantId), book()))
  const create = () =>
    done(platform.billing.checkouts.createForProduct(command(platform, front.merchantId), id, options()))
  const createAtOnce = async (count: number) => {
    taken()
    await Promise.all(Array.from({ length: count }, create))
    return taken()
  }
  await create()
  // The checkout's own stream, once by the command and once by the commit, and whether others have written.
  const readFor = (count: number) => ({
    'select events': 2 * count,
    'select archived_heads': count,
    'pragma data_version': count + 4,
  })
  const writtenFor = (count: number) => ({
    'insert events': count,
    'insert announcements': count,
    'insert checkouts': count,
    'select checkout_references': count,
    'insert checkout_references': count,
  })
  const commit = { begin: 1, 'update inline_projections': 1, commit: 1 }
  expect(await createAtOnce(1)).toEqual({ ...readFor(1), ...writtenFor(1), ...commit })
  expect(await createAtOnce(10)).toEqual({ ...readFor(10), ...writtenFor(10), ...commit })
})
