// A player at a line of the page, without a screen: answers whatever is asked of its seat, at random, and tells of each
// move that the host has acknowledged. `sandtableHand.stop` ends it.
(() => {
  const pick = (rng, list) => list[Math.floor(rng() * list.length)];
  const random = (seed) => () => {
    seed = (seed * 1664525 + 1013904223) % 4294967296;
    return seed / 4294967296;
  };

  class Hand {
    constructor(page, match, seat, seed, told) {
      Object.assign(this, { rng: random(seed), told, waiting: new Map(), count: 0, stop: false, seed });
      this.wire = page.dial(match);
      this.first = new Promise((resolve) => (this.greeted = resolve));
      this.wire.addEventListener('open', () => this.wire.send(JSON.stringify({ seat, lang: 'en', since: 0 })));
      this.wire.addEventListener('message', (event) => this.hear(JSON.parse(event.data)));
      this.wire.addEventListener('close', (event) => (this.closed = `${event.code} ${event.reason}`));
    }
    hear(message) {
      if (message.type === 'state') {
        this.state = message;
        this.greeted(message);
      }
      if (message.id && this.waiting.has(message.id)) {
        this.waiting.get(message.id)(message);
        this.waiting.delete(message.id);
      }
    }
    ask(request, id = `${this.seed}.${++this.count}`) {
      return new Promise((resolve) => {
        this.waiting.set(id, resolve);
        this.wire.send(JSON.stringify({ ...request, id }));
      });
    }
    value(domain) {
      const some = (list, least, most) => {
        const size = least + Math.floor(this.rng() * (Math.min(most, list.length) - least + 1));
        const chosen = new Set();
        while (chosen.size < size) chosen.add(Math.floor(this.rng() * list.length));
        return list.filter((_, place) => chosen.has(place));
      };
      switch (domain.type) {
        case 'one': return pick(this.rng, domain.values);
        case 'number': return domain.least + Math.floor(this.rng() * (domain.most - domain.least + 1));
        case 'some': return some(domain.values, domain.least, domain.most);
        case 'amounts': {
          const left = domain.limits.map(([item, most]) => [item, most, 0]);
          for (let n = 0; n < domain.least; n++) {
            const free = left.filter(([, most, n]) => n < most);
            if (free.length) pick(this.rng, free)[2]++;
          }
          return left.filter(([, , n]) => n > 0).map(([item, , n]) => [item, n]);
        }
      }
    }
    async action(role, offer) {
      if (offer.actions) return pick(this.rng, offer.actions);
      const prefix = [];
      let face = offer;
      while (prefix.length < offer.fields.length) {
        let domain = face.next;
        if (domain?.type === 'walk') {
          const so_far = [];
          while (domain.next.length && !(domain.may_stop && this.rng() < 0.5)) {
            so_far.push(pick(this.rng, domain.next));
            const answer = await this.ask({ type: 'next', role, index: offer.index, prefix, so_far });
            if (answer.type === 'error') return null;
            domain = answer.value.next;
          }
          prefix.push(so_far);
        } else prefix.push(this.value(domain));
        const answer = await this.ask({ type: 'next', role, index: offer.index, prefix });
        if (answer.type === 'error') return null;
        face = answer.value;
      }
      return Object.fromEntries([['do', offer.verb], ...offer.fields.map((field, place) => [field.name, prefix[place]])]);
    }
    /** Play until the match is over, `most` moves are made, or it is stopped. */
    async play(most = Infinity) {
      await this.first;
      let made = 0;
      while (!this.stop && !this.closed && made < most && !this.state.info.over) {
        const { role, offers, info } = this.state;
        if (!offers.length) {
          await new Promise((on) => setTimeout(on, 5));
          continue;
        }
        const short = offers.filter((offer) => offer.actions?.length);
        const offer = short.length && this.rng() < 0.8 ? pick(this.rng, short) : pick(this.rng, offers);
        const action = await this.action(role, offer);
        if (!action) continue;
        const id = `m${this.seed}.${++this.count}`;
        const wish = { type: 'act', role, action, answers: info.number };
        await this.told({ sent: id, wish }); // a move that nobody knows of must not be made
        const answer = await this.ask(wish, id);
        if (answer.acted) {
          made++;
          this.told({ acted: answer.acted, id });
        }
      }
      return this.state.info;
    }
  }
  window.sandtableHand = Hand;
})();
