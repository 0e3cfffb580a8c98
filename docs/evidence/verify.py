#!/usr/bin/env python3
"""Verifies evidence offline, by the standard library alone, as docs/evidence/format.md says.
python3 verify.py evidence.json LOG_KEY [WITNESS_KEY ...]    Each witness that is given must have cosigned all of it."""
import base64, hashlib, json, re, sys

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493    # Ed25519: RFC 8032
D = -121665 * pow(121666, -1, P) % P
KINDS, REASONS = ('customer', 'payment', 'subscription'), ('names_another_customer', 'retry_is_secret', 'names_an_operator')

def need(condition, problem):
    if not condition:
        raise ValueError(problem)
def sha(*parts):
    return hashlib.sha256(b''.join(parts)).digest()

def point(encoded):
    y, sign = int.from_bytes(encoded, 'little') & (2**255 - 1), encoded[31] >> 7
    x2 = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(x2, (P + 3) // 8, P)
    x = x if (x * x - x2) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    need(y < P and (x * x - x2) % P == 0 and (x or not sign), 'a public key is no point')
    x = x if x & 1 == sign else P - x
    return (x, y, 1, x * y % P)
def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    return ((b - a) * (d - c) % P, (d + c) * (b + a) % P, (d - c) * (d + c) % P, (b - a) * (b + a) % P)
def times(n, p):
    return (0, 1, 1, 0) if n == 0 else add(times(n >> 1, add(p, p)), p if n & 1 else (0, 1, 1, 0))
def is_signed(key, message, signature):
    r, s, (x, y, z, t) = signature[:32], int.from_bytes(signature[32:], 'little'), point(key)
    h = int.from_bytes(hashlib.sha512(r + key + message).digest(), 'little') % L
    base = point((4 * pow(5, -1, P) % P).to_bytes(32, 'little'))
    x, y, z, t = add(times(s, base), times(h, (P - x, y, z, P - t)))
    x, y = x * pow(z, -1, P) % P, y * pow(z, -1, P) % P
    return len(signature) == 64 and s < L and (y | (x & 1) << 255).to_bytes(32, 'little') == r
def b64(text, size=None):
    data = base64.b64decode(text, validate=True)
    need(base64.b64encode(data).decode() == text and size in (None, len(data)), 'base64 has another form')
    return data

def whole(digits):
    need(abs(int(digits)) < 2**53, 'a number is too large')
    return int(digits)
def in_order(pairs):
    return dict(sorted(pairs, key=lambda pair: pair[0].encode('utf-16-be')))
read = json.JSONDecoder(object_pairs_hook=in_order, parse_int=whole, parse_float=whole, parse_constant=whole).decode
canonical = json.JSONEncoder(ensure_ascii=False, separators=(',', ':')).encode    # RFC 8785, of what was read
def members(value, names):
    need(isinstance(value, dict) and set(value) == set(names.split()), 'an object has other members than ' + names)
    return [value[name] for name in names.split()]

def root_by(index, size, leaf, proof):    # RFC 6962, section 2.1.1
    need(0 <= index < size and (size > 1 or not proof), 'a proof of inclusion has another length')
    if size == 1:
        return leaf
    left, top = 1 << (size - 1).bit_length() - 1, proof[-1]    # the largest power of two that is smaller than `size`
    if index < left:
        return sha(b'\1', root_by(index, left, leaf, proof[:-1]), top)
    return sha(b'\1', top, root_by(index - left, size - left, leaf, proof[:-1]))
def roots_by(old, size, whole, proof):    # RFC 6962, section 2.1.2; `whole` is the older root while it may be a subtree
    if old == size:
        need(len(proof) == (whole is None), 'a proof of consistency has another length')
        return (whole, whole) if proof == [] else (proof[0], proof[0])
    left, top = 1 << (size - 1).bit_length() - 1, proof[-1]
    if old <= left:
        one, other = roots_by(old, left, whole, proof[:-1])
        return one, sha(b'\1', other, top)
    one, other = roots_by(old - left, size - left, None, proof[:-1])
    return sha(b'\1', top, one), sha(b'\1', top, other)

def verifier_key(text):
    name, key_id, material = re.fullmatch(r'([^+\s]+)\+([0-9a-f]{8})\+(\S+)', text).groups()
    key = b64(material, 33)
    need(sha(name.encode() + b'\n' + key)[:4].hex() == key_id and key[0] in (1, 4), 'a verifier key has another id')
    return name, key_id, key[0], key[1:]
def read_note(note, keys):    # the checkpoint in a note, and the keys that have signed it
    need(not re.search('[\0-\x09\x0b-\x1f]', note) and note.endswith('\n'), 'a note has another form')
    (body, lines), signers = note.rsplit('\n\n', 1), set()
    for line in lines[:-1].split('\n'):
        name, encoded = re.fullmatch('\u2014 ([^ ]+) ([^ ]+)', line).groups()
        data = b64(encoded)
        key = [key for key in keys if key[:2] == (name, data[:4].hex())][0]
        time = int.from_bytes(data[4:12], 'big')
        before, signature = ('', data[4:]) if key[2] == 1 else ('cosignature/v1\ntime %d\n' % time, data[12:])
        right = is_signed(key[3], (before + body + '\n').encode(), signature)
        need(right and (key[2] == 1 or 0 < time < 2**63), 'a signature is wrong')
        signers.add(key)
    origin, size, root = re.fullmatch(r'([^\n]+)\n(0|[1-9][0-9]{0,18})\n([^\n]+)', body).groups()
    need(any(key[0] == origin and key[2] == 1 for key in signers), 'the log has not signed a checkpoint')
    return sha((body + '\n').encode()), origin, int(size), b64(root, 32), signers
def check_anchor(anchor, checkpoints, streams):
    place, passphrase, tx = members(anchor, 'checkpoint network_passphrase transaction_hash')
    envelope = b64(streams['stellartx-' + tx][0]['event']['data']['envelopeXdr'])
    bodies = (envelope[4:len(envelope) - 4 - 72 * signatures] for signatures in range(21))
    found = [body for body in bodies if sha(sha(passphrase.encode()), b'\0\0\0\2', body).hex() == tx]
    need(type(place) is int and place >= 0 and b'\0\0\0\3' + checkpoints[place][0] in found[0], 'an anchor names no checkpoint')

def check_stream(stream, events, size, root, seen):
    before, last = bytes(32), -1
    for revision, entry in enumerate(events):
        if 'withheld' in entry:
            withheld, index, at, proof = members(entry, 'withheld index recorded_at inclusion')
            told, reason = members(withheld, 'hash reason')
            need(re.fullmatch('[0-9a-f]{64}', told) and reason in REASONS, 'a withheld event has another form')
            before = bytes.fromhex(told)
        else:
            event, index, at, proof = members(entry, 'event index recorded_at inclusion')
            members(event, 'data id metadata revision schemaVersion stream type')
            place = (event['stream'], event['revision'], event['metadata']['previousHash'])
            need(place == (stream, revision, before.hex()), 'event %d of %s does not follow' % (revision, stream))
            before = sha(before, canonical(event).encode())
        leaf, proof = sha(b'\0', before, at.to_bytes(8, 'big')), [b64(each, 32) for each in proof]
        need(type(index) is type(at) is int and last < index and index not in seen, 'two events are at one place of the log')
        need(root_by(index, size, leaf, proof) == root, 'event %d is not in the log' % index)
        last, _ = index, seen.add(index)
    need('event' in events[-1], 'a stream ends with an event that is withheld')

def verify(data, log_key, witnesses=()):    # returns the bundle; raises where it proves nothing
    bundle = read(data.decode())
    need(canonical(bundle) + '\n' == data.decode(), 'the file is not the canonical text of what it holds')
    about, anchors, notes, form, keys, parts = members(bundle, 'about anchors checkpoints format keys streams')
    need(form == 'quittance-evidence@v1' and len(set(keys)) == len(keys), 'the format is another one')
    keys, proofs = [verifier_key(key) for key in keys], [members(each, 'consistency note')[0] for each in notes]
    checkpoints, seen = [read_note(each['note'], keys) for each in notes], set()
    _, origin, size, root, signers = checkpoints[-1]
    need(proofs[-1] == [] and set(keys) == set().union(*(each[4] for each in checkpoints)), 'a key has signed nothing')
    need(verifier_key(log_key) in signers and verifier_key(log_key)[::2] == (origin, 1), 'your key of the log has not signed')
    for (_, name, old, old_root, _), proof in zip(checkpoints[:-1], proofs):
        need(name == origin and 0 < old < size, 'a checkpoint is of another log, or is not older than the last one')
        proven = roots_by(old, size, old_root, [b64(each, 32) for each in proof])
        need(proven == (old_root, root), 'the log was rewritten between two checkpoints')
    subject, kind = members(about, 'id kind')
    streams = {name: events for events, name in (members(part, 'events stream') for part in parts)}
    need(len(streams) == len(parts) and kind in KINDS and kind + '-' + subject in streams, 'its subject is missing')
    for stream, events in streams.items():
        check_stream(stream, events, size, root, seen)
    for anchor in anchors:
        check_anchor(anchor, checkpoints, streams)
    for witness in map(verifier_key, witnesses):
        need(any(witness[2] == 4 and witness in each[4] and each[2] > max(seen) for each in checkpoints), 'a witness is missing')
    return bundle

if __name__ == '__main__':
    try:
        found = verify(open(sys.argv[1], 'rb').read(), sys.argv[2], sys.argv[3:])
        print('ok: %d events' % sum(len(part['events']) for part in found['streams']))
    except Exception as problem:
        sys.exit('not ok: %s' % problem)
