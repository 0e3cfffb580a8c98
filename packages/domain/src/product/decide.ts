import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import { type MetadataText, mergeMetadata } from '../shared/metadata.ts'
import { positiveCount } from '../shared/units.ts'
import type { CreateProduct, ProductCommand, UpdateProduct } from './commands.ts'
import type { ChangedDetails, ProductDetails, ProductEvent } from './events.ts'
import type { ProductRejection } from './rejections.ts'
import type { ProductRecord, ProductState } from './state.ts'
import { problemWithTrial } from './trial.ts'

type Decision = E.Either<ProductRejection, ReadonlyArray<ProductEvent>>

const problemWith = ({ productType, price, recurringPeriod, trialDays }: ProductDetails): ProductRejection | null => {
  if (price.cents === 0n) return { _tag: 'PriceNotPositive' }
  const isSubscription = productType === 'subscription'
  if (isSubscription && recurringPeriod === null) return { _tag: 'RecurringPeriodMissing' }
  if (!isSubscription && recurringPeriod !== null) return { _tag: 'RecurringPeriodNotAllowed', productType }
  return problemWithTrial(productType, trialDays)
}

const create = ({ details }: CreateProduct, state: ProductState): Decision => {
  if (state.status !== 'absent') {
    return isSame(state.details, details) ? nothing : E.left({ _tag: 'ProductAlreadyExists' })
  }
  const problem = problemWith(details)
  return problem === null ? E.right([{ type: 'ProductCreated', data: details }]) : E.left(problem)
}

/** The given fields whose value is not the current one. */
const changedDetails = (command: UpdateProduct, metadata: MetadataText, details: ProductDetails): ChangedDetails => {
  const { name, description, images, assetId } = command
  const allowed = details.allowsMultipleSubscriptions ?? false
  const { allowsMultipleSubscriptions = allowed } = command
  return {
    ...(name !== undefined && name !== details.name && { name }),
    ...(description !== undefined && description !== details.description && { description }),
    ...(images !== undefined && !isSame(images, details.images) && { images }),
    ...(assetId !== undefined && assetId !== details.assetId && { assetId }),
    ...(metadata !== details.metadata && { metadata }),
    ...(allowsMultipleSubscriptions !== allowed && { allowsMultipleSubscriptions }),
  }
}

/** A price version is a price and its period: a change of either makes the next one. */
const repricing = (command: UpdateProduct, { details, priceVersion }: ProductRecord): ReadonlyArray<ProductEvent> => {
  const cents = command.cents ?? details.price.cents
  const recurringPeriod = command.recurringPeriod ?? details.recurringPeriod
  if (cents === details.price.cents && recurringPeriod === details.recurringPeriod) return []
  return [{ type: 'ProductRepriced', data: { priceVersion: positiveCount(priceVersion + 1), cents, recurringPeriod } }]
}

const statusChange = (wanted: ProductRecord['status'], { status }: ProductRecord): ReadonlyArray<ProductEvent> => {
  if (wanted === status) return []
  return [wanted === 'archived' ? { type: 'ProductArchived', data: {} } : { type: 'ProductRestored', data: {} }]
}

/** An archived product can still be corrected: what was sold refers to it. */
const update = (command: UpdateProduct, state: ProductRecord): Decision => {
  const { details, status } = state
  const { productType } = details
  const { currency } = details.price
  if ((command.currency ?? currency) !== currency) return E.left({ _tag: 'CurrencyIsFixed', currency })
  if (command.cents === 0n) return E.left({ _tag: 'PriceNotPositive' })
  if (command.recurringPeriod !== undefined && productType !== 'subscription') {
    return E.left({ _tag: 'RecurringPeriodNotAllowed', productType })
  }
  const metadata: E.Either<ProductRejection, MetadataText> =
    command.metadata === undefined ? E.right(details.metadata) : mergeMetadata(details.metadata, command.metadata)
  if (E.isLeft(metadata)) return metadata
  const changes = changedDetails(command, metadata.right, details)
  const changed: ReadonlyArray<ProductEvent> =
    Object.keys(changes).length === 0 ? [] : [{ type: 'ProductDetailsChanged', data: changes }]
  return E.right([...changed, ...repricing(command, state), ...statusChange(command.status ?? status, state)])
}

export const decide =
  (command: ProductCommand) =>
  (state: ProductState): Decision => {
    if (command.type === 'CreateProduct') return create(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'ProductNotFound' })
    switch (command.type) {
      case 'UpdateProduct':
        return update(command, state)
      case 'ArchiveProduct':
        return E.right(statusChange('archived', state))
      case 'RestoreProduct':
        return E.right(statusChange('active', state))
    }
  }
