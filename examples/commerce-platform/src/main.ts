import { serve } from './server.ts'
import { openShop } from './shop.ts'

const { SHOP_DATA = 'data', PORT = '4000' } = process.env
const publicUrl = `http://127.0.0.1:${PORT}`
const shop = await openShop({ directory: SHOP_DATA, publicUrl, wallClock: Date.now, isTicking: true })
const server = await serve(shop, Number(PORT))
console.log(`The shop is at ${server.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await server.close()
    await shop.close()
    console.log('The shop is closed')
  })
