import { secondMs } from '@quittance/domain'
import { type DeliveryStage, openDeliveryStage } from '../../testing/delivery/delivery-stage.ts'
import { inTrouble, type MerchantTrouble } from '../../testing/merchant-trouble.ts'
import { done } from '../../testing/outcomes.ts'
import { book, command, openShop } from '../../testing/shop.ts'
import { createDeliverer } from './deliverer.ts'
import { sender } from './sending/sender.ts'

describe('an endpoint whose stream fails', () => {
  let stage: DeliveryStage
  beforeEach(async () => {
    stage = await openDeliveryStage()
  })
  afterEach(() => stage.close())

  it('isolates an endpoint whose stream fails, and sends it everything once the defect is gone', async () => {
    const failure = 'Defect' as const
    const { services, merchantId, network, platform, billing } = stage
    const trouble: MerchantTrouble = { merchantId, streams: /^webhook-/, failure, isOn: true }
    const posting = sender({ totalMs: 5_000 })
    const deliverer = createDeliverer(inTrouble(services, trouble), { sender: posting, random: () => 0 })
    const [broken, served] = [await stage.receiver(), await stage.receiver()]
    const next = await openShop(platform)
    broken.known.secrets = [(await stage.endpoint(broken)).secret]
    served.known.secrets = [(await stage.endpoint(served, ['*'], next)).secret]
    const product = await stage.makeProduct()
    const other = await done(billing.products.create(command(platform, next), book()))
    await deliverer.settle()
    expect(served.received.map(({ resourceId }) => resourceId)).toEqual([other.id])
    expect(broken.received).toEqual([])
    expect(await services.setbacks.of('testnet', 'webhooks')).toMatchObject([{ merchantId, failure, attempts: 1 }])
    trouble.isOn = false
    network.wait(secondMs)
    await deliverer.settle()
    expect(broken.received.map(({ resourceId }) => resourceId)).toEqual([product])
    expect(await services.setbacks.of('testnet', 'webhooks')).toEqual([])
    await posting.close()
  })
})
