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

it('a checkout runs few statements, and those of one commit share what no command has changed', async () => {
  const { id } = await done(platform.billing.products.create(command(platform, front.merchantId), book()))
  const create = () =>
    done(platform.billing.checkouts.createForProduct(command(platform, front.merchantId), id, options()))
  const createAtOnce = async (count: number) => {
    taken()
    await Promise.all(Array.from({ length: count }, create))
    return taken()
  }
  await create()
  // Twice the checkout's own stream; freezes, merchant and product are the same for all.
  const readFor = (count: number) => ({
    'select events': 2 * count + 3,
    // Of streams without events in the log's file: the checkout's own, and that of freezes.
    'select archived_heads': 2 * count + 1,
    'pragma data_version': 6 * count + 1,
  })
  const writtenFor = (count: number) => ({
    savepoint: count,
    'insert events': count,
    'insert announcements': count,
    'insert checkouts': count,
    'select checkout_references': count,
    'insert checkout_references': count,
    release: count,
  })
  const commit = { begin: 1, 'update inline_projections': 1, commit: 1 }
  expect(await createAtOnce(1)).toEqual({ ...readFor(1), ...writtenFor(1), ...commit })
  expect(await createAtOnce(10)).toEqual({ ...readFor(10), ...writtenFor(10), ...commit })
})
