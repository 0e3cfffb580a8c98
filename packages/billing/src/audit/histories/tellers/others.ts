import { Credits, Funding, type Units, Webhook } from '@quittance/domain'
import { namedStatus, type Told, tellerOf } from '../told.ts'
import { counted, inAsset, inWords, moment, short } from '../words.ts'

const inUnits = (units: Units): string => counted(units, 'unit')

export const webhookTeller = tellerOf(
  Webhook,
  (event): Told => {
    switch (event.type) {
      case 'WebhookCreated':
        return { what: `Endpoint created for ${event.data.details.events.join(', ')}` }
      case 'WebhookChanged':
        return { what: `Endpoint changed: ${Object.keys(event.data).join(', ')}` }
      case 'WebhookDisabled':
        return {
          what: 'Endpoint disabled',
          why:
            event.data.reason === undefined
              ? null
              : event.data.reason === 'gone'
                ? 'it answered that it is gone'
                : 'it answered nothing but failures for days',
        }
      case 'WebhookEnabled':
        return { what: 'Endpoint enabled' }
      case 'WebhookSecretRotated':
        return {
          what: `The endpoint has another secret; the former one signs too until ${moment(event.data.formerValidUntil)}`,
        }
      case 'WebhookDeleted':
        return { what: 'Endpoint deleted' }
    }
  },
  namedStatus,
)

export const creditsTeller = tellerOf(
  Credits,
  (event): Told => {
    switch (event.type) {
      case 'BooksOpened':
        return { what: 'The next books began with what was left' }
      case 'CreditsGranted':
        return {
          what: `${inUnits(event.data.units)} granted`,
          why: 'a payment was confirmed',
          names: [event.data.paymentId],
          follows: [{ stream: `payment-${event.data.paymentId}`, types: ['PaymentConfirmed'] }],
        }
      case 'CreditsConsumed':
        return { what: `${inUnits(event.data.units)} consumed` }
      case 'CreditsReversed':
        return {
          what: `${inUnits(event.data.units)} taken back`,
          why: 'the payment is refunded',
          names: [event.data.paymentId],
          follows: [{ stream: `payment-${event.data.paymentId}`, types: ['RefundClaimed'] }],
        }
      case 'BooksClosed':
        return { what: 'These books are full' }
      case 'BooksHandedOver':
        return { what: 'These books were handed over', why: 'the customer was merged into another' }
      case 'BooksTakenOver':
        return { what: 'The books of a merged customer were added' }
    }
  },
  namedStatus,
)

export const fundingTeller = tellerOf(
  Funding,
  (event): Told => {
    switch (event.type) {
      case 'FundingAnnounced': {
        const { amount, assetId, from, expiresAt } = event.data
        return {
          what: `The merchant's own money was announced${from === null ? '' : `, from ${short(from)}`}; it may come until ${moment(expiresAt)}`,
          amount: amount === null || assetId === null ? null : { stroops: amount, assetId },
        }
      }
      case 'FundingReceived': {
        const { amount, assetId, from, reason, transactionHash, ledger } = event.data
        return {
          what: `${inAsset(amount, assetId)} of the merchant's own came from ${short(from)}`,
          why: inWords(reason),
          amount: { stroops: amount, assetId },
          transactionHash,
          ledger,
          root: 'ledger',
        }
      }
      case 'OwnMovementBooked': {
        const { amount, assetId, direction, transactionHash, ledger } = event.data
        return {
          what: `The merchant ${direction === 'gain' ? 'added' : 'took out'} ${inAsset(amount, assetId)} by their own hand`,
          amount: { stroops: amount, assetId },
          transactionHash,
          ledger,
          root: 'ledger',
        }
      }
    }
  },
  namedStatus,
)
