import { hourMs, unixMs } from '../shared/units.ts'
import type { Webhook } from '../webhook/index.ts'
import type { Behind } from './behind.ts'

// Whether addresses of the own machine were allowed, no event says.
const allowed = 'https or loopback'
const formerSecretMs = 24 * hourMs

export const behindWebhook: Behind<typeof Webhook> = (state, { type, data }, [second]) => {
  switch (type) {
    case 'WebhookCreated':
      return [{ type: 'CreateWebhook', ...data, allowed, others: 0 }]
    case 'WebhookChanged': {
      const changed = { type: 'UpdateWebhook' as const, changed: data, allowed } as const
      if (second?.type === 'WebhookDisabled') return [changed, { ...changed, isDisabled: true }]
      return second?.type === 'WebhookEnabled' ? [changed, { ...changed, isDisabled: false }] : [changed]
    }
    case 'WebhookDisabled': {
      const { reason } = data
      if (reason === undefined) return [{ type: 'UpdateWebhook', changed: {}, isDisabled: true, allowed }]
      return state.status === 'absent' ? [] : [{ type: 'DisableWebhook', reason, url: state.details.url }]
    }
    case 'WebhookEnabled':
      return [{ type: 'UpdateWebhook', changed: {}, isDisabled: false, allowed }]
    case 'WebhookSecretRotated':
      return [
        {
          type: 'RotateSecret',
          secretName: data.secretName,
          at: unixMs(Math.max(0, data.formerValidUntil - formerSecretMs)),
        },
      ]
    case 'WebhookDeleted':
      return [{ type: 'DeleteWebhook' }]
  }
}
