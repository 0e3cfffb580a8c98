"""A whole sale with the client that openapi-python-client has generated as `quittance`."""

import json
import sys
import time

from quittance import AuthenticatedClient
from quittance.api.access import check_access
from quittance.api.checkouts import create_checkout, get_checkout
from quittance.api.events import list_events
from quittance.api.payments import get_payment
from quittance.api.products import create_product, get_product
from quittance.api.refunds import create_refund, get_refund
from quittance.api.sandbox import pay_in_sandbox
from quittance.api.subscriptions import cancel_subscription, get_subscription
from quittance.models import (
    CreateCheckoutType,
    ListEventsType,
    NewProduct,
    NewProductCheckout,
    NewRefund,
    SandboxPayment,
)

base_url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key, prefix="", auth_header_name="x-api-key", timeout=60)


def data_of(answer):
    """What was asked for. Raises what the service says instead."""
    if not hasattr(answer, "data"):
        raise RuntimeError(answer)
    return answer.data


def until(ask, is_done):
    while not is_done(answer := ask()):
        time.sleep(0.05)
    return answer


def product(**fields):
    return data_of(create_product.sync(client=client, body=NewProduct.from_dict(fields)))


def buy(product_id):
    body = NewProductCheckout(product_id=product_id, customer_email="ada@python.example")
    checkout = data_of(create_checkout.sync(client=client, type_=CreateCheckoutType.PRODUCT, body=body))
    data_of(pay_in_sandbox.sync(client=client, body=SandboxPayment(checkout_id=checkout.id)))
    return until(
        lambda: data_of(get_checkout.sync(checkout.id, client=client)), lambda each: each.status == "completed"
    )


book = product(name="A book", type="one_time", currency_code="EUR", price_amount=12.5, metadata={"shelf": "B4"})
shown = data_of(get_product.sync(book.id, client=client))
sale = buy(book.id)
payment = data_of(get_payment.sync(sale.payment_id, client=client))
access = check_access.sync(sale.customer_id, book.id, client=client)

magazine = product(
    name="A magazine", type="subscription", currency_code="USD", price_amount=5, recurring_period="month"
)
subscribed = buy(magazine.id)
data_of(cancel_subscription.sync(subscribed.subscription_id, client=client))
subscription = data_of(get_subscription.sync(subscribed.subscription_id, client=client))

asked = data_of(create_refund.sync(client=client, body=NewRefund(payment_id=payment.id)))
refund = until(lambda: data_of(get_refund.sync(asked.id, client=client)), lambda each: each.status != "pending")
events = data_of(list_events.sync(client=client, type_=ListEventsType.PAYMENT_CONFIRMED, resource_id=payment.id))

print(
    json.dumps(
        {
            "shelf": shown.metadata["shelf"],
            "payment": payment.status,
            "price": payment.amount_cents,
            "has_access": access.has_access,
            "ends_with_its_period": subscription.cancel_at_period_end,
            "refund": refund.status,
            "events": len(events.data),
        }
    )
)
