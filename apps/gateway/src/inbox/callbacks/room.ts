import { Problem } from '../../base/http/answers/problem.ts'

const retryAfterSeconds = 30
/** Who has sent nothing for this long gives way to others behind the same address. */
const idleMs = 1000

interface Place {
  sender: string
  bytes: number
  grewAt: number
  /** It is whole: nothing is won by giving it up. */
  isRead: boolean
  /** Called when others need the room more. */
  giveUp: (why: Problem) => void
}

const full = () =>
  new Problem('unavailable', 'Too many callbacks at once. Send this one again shortly.', { retryAfterSeconds })

/**
 * Room for bodies while they are read, counted by the bytes they hold. When it is full, the sender who holds the most gives
 * way to those who hold less: nobody can keep others out, from however many connections.
 */
export class Room {
  readonly #capacity: number
  readonly #least: number
  readonly #elapsed: () => number
  readonly #places = new Set<Place>()
  #held = 0

  /**
   * @param capacity bytes
   * @param least what a body counts as at least: its connection, and its file
   */
  constructor(capacity: number, least: number, elapsed = () => performance.now()) {
    this.#capacity = capacity
    this.#least = least
    this.#elapsed = elapsed
  }

  /** Takes a place. @throws {Problem} `unavailable` when the sender already holds as much as anybody */
  enter(sender: string, giveUp: Place['giveUp']): Place {
    const place = { sender, bytes: 0, grewAt: this.#elapsed(), isRead: false, giveUp }
    this.#reserve(place, this.#least)
    this.#places.add(place)
    return place
  }

  /** The body has grown. @throws {Problem} `unavailable` as above */
  grow(place: Place, bytes: number): void {
    place.grewAt = this.#elapsed()
    if (bytes > place.bytes) this.#reserve(place, bytes - place.bytes)
  }

  leave(place: Place): void {
    if (this.#places.delete(place)) this.#held -= place.bytes
  }

  #reserve(place: Place, more: number): void {
    while (this.#held + more > this.#capacity) {
      const victim = this.#victimOf(place, more)
      if (!victim) throw full()
      this.leave(victim)
      victim.giveUp(full())
    }
    this.#held += more
    place.bytes += more
  }

  /** The one that has stood still the longest, of the sender who holds the most. */
  #victimOf({ sender }: Place, more: number): Place | undefined {
    const sums = new Map<string, number>()
    for (const each of this.#places) sums.set(each.sender, (sums.get(each.sender) ?? 0) + each.bytes)
    const [largest, sum] = [...sums].toSorted(([, a], [, b]) => b - a)[0] ?? []
    const isOwn = largest === sender
    if (!isOwn && (sum ?? 0) <= (sums.get(sender) ?? 0) + more) return undefined
    const [oldest] = [...this.#places]
      .filter((each) => each.sender === largest && !each.isRead)
      .toSorted((a, b) => a.grewAt - b.grewAt)
    if (!oldest) return undefined
    return isOwn && this.#elapsed() - oldest.grewAt < idleMs ? undefined : oldest
  }
}

/** Room for small bodies, and for those that prove to be large. */
export interface Rooms {
  small: Room
  large: Room
}

const maxSmall = 64 * 1024

/** What a body holds from its first byte until it is closed. */
export class Hold {
  readonly #rooms: Rooms
  readonly #sender: string
  #room: Room
  #place: Place
  #bytes = 0
  #why: Problem | undefined
  #onGiveUp: ((why: Problem) => void) | undefined

  /**
   * @param announced the length it is to have; NaN when that is not known
   * @throws {Problem} `unavailable`
   */
  constructor(rooms: Rooms, sender: string, announced: number) {
    this.#rooms = rooms
    this.#sender = sender
    this.#room = announced > maxSmall ? rooms.large : rooms.small
    this.#place = this.#enter()
  }

  /** Calls when others need the room more: the body is not to be read any further. */
  onGiveUp(act: (why: Problem) => void): void {
    this.#onGiveUp = act
    if (this.#why) act(this.#why)
  }

  /** @throws {Problem} `unavailable` */
  grow(bytes: number): void {
    if (this.#why) throw this.#why
    this.#bytes += bytes
    if (this.#bytes > maxSmall && this.#room === this.#rooms.small) {
      this.#room.leave(this.#place)
      this.#room = this.#rooms.large
      this.#place = this.#enter()
    }
    this.#room.grow(this.#place, this.#bytes)
  }

  /** Everything has come. */
  finish(): void {
    this.#place.isRead = true
  }

  release(): void {
    this.#room.leave(this.#place)
  }

  #enter(): Place {
    return this.#room.enter(this.#sender, (why) => {
      this.#why = why
      this.#onGiveUp?.(why)
    })
  }
}
