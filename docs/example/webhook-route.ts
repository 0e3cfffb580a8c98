// app/webhooks/quittance/route.ts
import { Webhook } from 'standardwebhooks'

export const POST = async (request: Request): Promise<Response> => {
  const body = await request.text() // the bytes as they came: request.json() would lose them
  const webhook = new Webhook(process.env.QUITTANCE_WEBHOOK_SECRET ?? '')
  try {
    webhook.verify(body, Object.fromEntries(request.headers))
  } catch {
    return Response.json({ error: 'not signed by Quittance' }, { status: 400 })
  }
  const event = JSON.parse(body)
  if (event.type === 'payment.confirmed') console.log('paid', event.data.metadata.order)
  return new Response(null, { status: 204 })
}
