// Talking on the page: records, plays, and shows what goes on. What is heard is put into the answer box; the server decides.
(() => {
  const here = (id) => document.getElementById(id);
  const box = () => document.querySelector("#answer textarea");
  const field = (id) => document.querySelector(`#${id} textarea, #${id} input`)?.value ?? "";
  const session = () => window.interviewer.session();
  const ASK_EVERY = 2000; // milliseconds of silence after which the server is asked whether the turn is over
  const FOLLOW_EVERY = 2500; // milliseconds after which what was said meanwhile is sent to be written down
  const FELL_SILENT = 600; // milliseconds of silence after which all that was said is in the recording, and is sent at once
  const KEPT = "Your recording is kept here: press the button to send it again.";

  const REFUSED = {
    NotAllowedError: "Your browser is blocking the microphone. Allow it in the address bar, then press Talk again. You can also type.",
    NotFoundError: "No microphone was found. Plug one in, then press Talk again. You can also type.",
    NotReadableError: "Another program is using the microphone. Close it, then press Talk again. You can also type.",
  };

  const HAND_SLOW = 600; // milliseconds within which a press was still meant for what the button said before
  let phase = "off", since = 0; // off, idle, opening, listening, thinking, speaking
  let stream = null, recorder = null, chunks = [], context = null, unsent = null;
  let sound = null, skip = null, lines = Promise.resolve(), heardBy = "";
  let floor = 1, quietSince = 0, spokenYet = false, following = false, nextAsk = ASK_EVERY;
  let recording = "", nextFollow = 0, followedTo = 0;
  let first = null, acknowledging = Promise.resolve(), acknowledged = "", answers = false;
  let goesOn = false; // the person was cut short: what they said stays in the box, and they go on with the same answer

  // Gradio reloads the page when a lost connection is back: what was recorded and not heard yet outlives that in the
  // browser's own database, piece by piece, and is deleted once it was heard. Another tab's is left alone for an hour.
  const FORGOTTEN = 3_600_000; // milliseconds
  const tab = () => {
    if (!sessionStorage.getItem("tab")) sessionStorage.setItem("tab", window.interviewer.request());
    return sessionStorage.getItem("tab");
  };
  const shelf = new Promise((done) => {
    const opening = indexedDB.open("interviewer", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("recorded");
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => done(null);
  }).catch(() => null);
  const shelved = async (mode, work) => {
    const held = await shelf;
    if (!held) return null;
    return new Promise((done) => {
      const asked = work(held.transaction("recorded", mode).objectStore("recorded"));
      asked.onsuccess = () => done(asked.result);
      asked.onerror = () => done(null);
    });
  };
  const keepPiece = (said, piece) => {
    const at = Date.now();
    const kept = { ...said, session: session(), at, piece };
    shelved("readwrite", (store) => store.put(kept, [tab(), said.recording, at, chunks.length])).catch(() => {});
  };
  const forget = (name) => shelved("readwrite", (store) => store.delete(IDBKeyRange.bound([tab(), name], [tab(), name, []]))).catch(() => {});
  const recover = async () => {
    for (const key of (await shelved("readonly", (store) => store.getAllKeys())) ?? []) {
      if (key[0] !== tab() && Date.now() - key[2] > FORGOTTEN) await shelved("readwrite", (store) => store.delete(key));
    }
    const mine = (await shelved("readonly", (store) => store.getAll(IDBKeyRange.bound([tab()], [tab(), []])))) ?? [];
    const last = mine.reduce((late, each) => (late && late.at > each.at ? late : each), null);
    if (!last || unsent || phase === "listening") return;
    const pieces = mine.filter((each) => each.recording === last.recording).map((each) => each.piece);
    if (last.session !== session() || last.turn !== field("turn")) { forget(last.recording); return; }
    unsent = { blob: new Blob(pieces, { type: pieces[0].type }), turn: last.turn, recording: last.recording };
    if (phase === "idle") rest(KEPT);
  };

  const speed = () => window.interviewer.settings?.speed ?? 1;
  const handsFree = () => here("hands-free")?.checked ?? false;
  const on = () => here("voice-on")?.checked ?? false;
  const myTurn = () => here("send") && !here("send").disabled;
  const tell = (text) => { const status = here("voice-status"); if (status && status.textContent !== text) status.textContent = text; };
  const showSoFar = (text) => {
    const line = here("voice-so-far");
    if (!line) return;
    line.textContent = text;
    line.scrollTop = line.scrollHeight;
  };

  const enter = (next, text = "") => {
    if (next !== phase) since = Date.now();
    phase = next;
    const panel = here("voice");
    if (!panel) return;
    panel.dataset.phase = next;
    panel.querySelector(".controls").hidden = next === "off";
    const talk = here("talk");
    talk.textContent = { listening: "Stop", thinking: "One moment", speaking: "Interrupt" }[next] ?? (unsent ? "Send again" : "Talk");
    talk.disabled = next === "thinking";
    talk.setAttribute("aria-pressed", String(next === "listening"));
    tell(text || { opening: "Requesting microphone access.", listening: "Listening.", thinking: "Transcribing what you said.", speaking: "The interviewer is speaking; your microphone is off." }[next] || "");
  };

  const rest = (text) => enter(on() ? "idle" : "off", text);

  // Speaking. The microphone is off meanwhile, and whatever becomes of a sound, it is given back.
  const mute = (muted) => stream?.getAudioTracks().forEach((track) => { track.enabled = !muted; });

  const play = (url) => new Promise((done) => {
    const own = new Audio(url);
    own.playbackRate = speed();
    sound = own;
    let watchdog = setTimeout(done, 20_000);
    skip = done;
    own.addEventListener("loadedmetadata", () => {
      if (sound !== own || !Number.isFinite(own.duration)) return; // interrupted before it began
      clearTimeout(watchdog);
      watchdog = setTimeout(done, own.duration * 1000 / speed() + 3000);
    });
    for (const over of ["ended", "error"]) own.addEventListener(over, done);
    own.play().catch(done);
  }).finally(() => { sound?.pause(); sound = null; skip = null; });

  const browserSays = (text) => new Promise((done) => {
    if (!window.speechSynthesis?.getVoices().length) return done();
    const said = new SpeechSynthesisUtterance(text);
    said.lang = "en-US";
    said.rate = speed();
    said.onend = said.onerror = done;
    skip = () => { speechSynthesis.cancel(); done(); };
    setTimeout(done, 3000 + 120 * text.length);
    speechSynthesis.speak(said);
  }).finally(() => { skip = null; });

  const fetched = (piece) => !piece?.sound ? Promise.resolve("") : fetch(piece.sound)
    .then((got) => (got.ok ? got.blob() : null)).then((blob) => (blob ? URL.createObjectURL(blob) : "")).catch(() => "");

  let interrupted = false, wanted = false;
  const say = async (pieces) => {
    if (!pieces.length || phase !== "idle") return;
    interrupted = false;
    enter("speaking");
    mute(true);
    try {
      let next = fetched(pieces[0]);
      for (let place = 0; place < pieces.length && !interrupted; place += 1) {
        const url = await next;
        next = fetched(pieces[place + 1]); // made while this one sounds
        if (interrupted || !on()) break;
        document.dispatchEvent(new CustomEvent("interviewer:says", { detail: pieces[place].text }));
        await (url ? play(url) : browserSays(pieces[place].text));
        if (url) URL.revokeObjectURL(url);
      }
    } finally {
      mute(false);
      if (phase === "speaking") enter(on() ? "idle" : "off");
    }
  };

  // The first words after an answer are known before it is given; they are said as soon as it is over, while all else begins.
  const acknowledge = () => {
    if (!first || !on()) return;
    const { text, url } = first;
    [first, acknowledged] = [null, text];
    acknowledging = url.then(async (made) => {
      if (!made || !on()) { acknowledged = ""; return; }
      document.dispatchEvent(new CustomEvent("interviewer:says", { detail: text }));
      await play(made);
      URL.revokeObjectURL(made);
    });
  };

  const interrupt = () => { interrupted = true; skip?.(); };

  const follow = () => {
    const name = session();
    if (!name || !on()) return;
    lines = lines.then(async () => {
      if (phase !== "idle") return;
      const key = `said:${name}`;
      const got = await fetch(`voice/lines?${new URLSearchParams({ session: name, heard: sessionStorage.getItem(key) ?? "" })}`);
      if (!got.ok || phase !== "idle") return;
      const { heard, pieces, first: next } = await got.json();
      if (heard) sessionStorage.setItem(key, heard);
      wanted = false;
      await acknowledging;
      const known = acknowledged && pieces[0]?.text === acknowledged;
      if (pieces.length) acknowledged = "";
      await say(known ? pieces.slice(1) : pieces);
      if (first?.text !== next?.text) first = next && { text: next.text, url: fetched(next) };
      if (wanted && on() && phase === "idle") await listen();
      else if (handsFree() && on() && phase === "idle" && myTurn() && (goesOn || !box().value)) await listen();
    }).catch(() => {});
  };

  // Listening
  const listen = async () => {
    skip?.();
    enter("opening");
    try {
      stream ??= await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, channelCount: 1 } });
    } catch (error) {
      stream = null;
      enter("idle", REFUSED[error.name] ?? `The microphone cannot be used (${error.name}). You can still type.`);
      return;
    }
    if (phase !== "opening") { release(); return; }
    mute(false);
    [chunks, goesOn] = [[], false];
    [floor, quietSince, spokenYet, following, nextAsk] = [1, Date.now(), false, false, ASK_EVERY];
    [recording, nextFollow, followedTo] = [window.interviewer.request(), Date.now() + FOLLOW_EVERY, 0];
    showSoFar("");
    heardBy = field("turn");
    recorder = new MediaRecorder(stream);
    const mine = { turn: heardBy, recording };
    recorder.addEventListener("dataavailable", (event) => {
      if (!event.data.size) return;
      chunks.push(event.data);
      keepPiece(mine, event.data);
    });
    recorder.addEventListener("stop", () => { release(); hand({ blob: soFar(), turn: heardBy, recording }); }, { once: true });
    stream.getAudioTracks()[0].addEventListener("ended", () => { if (recorder?.state === "recording") recorder.stop(); }, { once: true });
    recorder.start(250);
    meter();
    enter("listening");
  };

  const release = () => {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    context?.close();
    context = null;
    const bar = document.querySelector("#voice .level i");
    if (bar) bar.style.width = "0";
  };

  const meter = () => {
    context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 1024;
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const own = context;
    const look = setInterval(() => {
      if (context !== own || phase !== "listening") { clearInterval(look); return; }
      analyser.getFloatTimeDomainData(samples);
      const level = Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);
      floor = Math.min(floor * 1.01, Math.max(level, 1e-4));
      const bar = document.querySelector("#voice .level i");
      if (bar) bar.style.width = `${Math.min(100, 100 * Math.sqrt(level * 4))}%`;
      if (level > Math.max(0.01, 3 * floor)) { [quietSince, spokenYet, nextAsk] = [Date.now(), true, ASK_EVERY]; }
      if (spokenYet && !following && isTime(Date.now(), Date.now() - quietSince)) followSpeech();
    }, 100);
  };

  // While somebody speaks, now and then; once they fell silent, at once, so that all is written down when they stop.
  const isTime = (now, quiet) => (quietSince > followedTo && (now >= nextFollow || quiet >= FELL_SILENT)) || (handsFree() && quiet >= nextAsk);

  const soFar = () => new Blob(chunks, { type: chunks[0]?.type });

  // The whole recording goes each time, since its parts cannot be read alone; the server goes on where it was. Whether
  // the person is done or only thinks is for the server to tell from what was said so far.
  const followSpeech = async () => {
    following = true;
    const begun = Date.now(), silence = begun - quietSince, mine = recording;
    followedTo = silence >= FELL_SILENT ? quietSince : begun - FELL_SILENT;
    try {
      const told = await post({ blob: soFar(), turn: heardBy, recording }, true);
      if (mine !== recording) return;
      if (told.text && phase === "listening") showSoFar(told.text);
      if (told.cut && phase === "listening") {
        [heardBy, goesOn] = [told.cut, true];
        recorder.stop();
        return;
      }
      nextAsk = Math.max(silence + 500, (told.wait ?? 2) * 1000);
      if (handsFree() && told.over && phase === "listening" && Date.now() - quietSince >= silence) {
        recorder.stop();
        if (told.answers) acknowledge();
      }
    } catch { nextAsk = silence + 2000; }
    finally {
      if (mine === recording) following = false;
      nextFollow = Date.now() + Math.max(FOLLOW_EVERY, 2 * (Date.now() - begun)); // a slow machine is not asked for more than it can do
    }
  };

  const named = (said) => ({ session: session(), turn: said.turn, recording: said.recording });

  const post = async (said, more = false) => {
    const asked = new URLSearchParams({ ...named(said), so_far: more ? "1" : "0" });
    const got = await fetch(`voice/hear?${asked}`, { method: "POST", body: said.blob, headers: { "X-Interviewer": "voice" } });
    return { ...await got.json(), failed: got.status >= 500 };
  };

  // How far a long recording is, told in steps that can be listened to.
  const watch = (said) => setInterval(async () => {
    try {
      const { share } = await (await fetch(`voice/progress?${new URLSearchParams(named(said))}`)).json();
      if (share && phase === "thinking") tell(`Transcribing what you said: ${10 * Math.floor(10 * share)}%`);
    } catch { /* the answer itself tells what is wrong */ }
  }, 1500);

  const hand = async (said) => {
    unsent = said;
    enter("thinking");
    const watching = watch(said);
    let told;
    try {
      told = await post(said);
    } catch {
      rest(`The connection was lost. ${KEPT}`);
      return;
    } finally { clearInterval(watching); }
    if (told.failed) { rest(`${told.problem} ${KEPT}`); return; }
    [unsent, answers] = [null, told.answers];
    forget(said.recording);
    showSoFar("");
    if (told.problem) { rest(told.problem); return; }
    write([box().value.trim(), told.text].filter(Boolean).join(" "));
    propose(told.suggestions ?? []);
    if (goesOn) { rest("The interviewer is cutting in."); follow(); return; }
    rest(handsFree() ? "Sent." : "Correct it if you need to, then send it.");
    if (handsFree()) setTimeout(() => here("send")?.click(), 300);
    else box().focus({ preventScroll: true });
  };

  const write = (text) => {
    box().value = text;
    box().dispatchEvent(new Event("input", { bubbles: true }));
  };

  const propose = (suggestions) => {
    const list = here("voice-suggestions");
    list.replaceChildren(...suggestions.map(({ heard, meant }) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: `${heard} → ${meant}?` });
      button.addEventListener("click", () => { write(box().value.replace(heard, () => meant)); button.remove(); list.hidden = !list.childElementCount; });
      return button;
    }));
    list.hidden = !suggestions.length;
  };

  // What the person does
  document.addEventListener("click", (event) => {
    if (event.target.closest("#send")) {
      here("voice-suggestions")?.replaceChildren();
      if (answers && box().value) acknowledge();
      [answers, goesOn] = [false, false];
    }
    if (!event.target.closest("#talk")) return;
    if (phase === "listening") recorder.stop();
    else if (phase === "speaking") {
      wanted = Date.now() - since < HAND_SLOW;
      interrupt();
    }
    else if (phase === "idle" && unsent) hand(unsent);
    else if (phase === "idle") listen();
  });

  document.addEventListener("change", (event) => {
    if (event.target.id === "voice-on") {
      localStorage.setItem("voice", on() ? "on" : "off");
      if (on()) { enter("idle"); follow(); } else { interrupt(); if (recorder?.state === "recording") recorder.stop(); release(); enter("off"); }
    }
    if (event.target.id === "hands-free" && handsFree() && phase === "idle") follow();
  });

  const settle = window.interviewer.settle;
  window.interviewer.settle = (name) => {
    settle(name);
    const box = here("voice-on");
    if (box && !box.dataset.known) {
      box.dataset.known = "yes";
      box.checked = localStorage.getItem("voice") === "on";
      if (box.checked) enter("idle");
      setTimeout(() => recover().catch(() => {}), 200);
    }
    setTimeout(follow, 150);
  };
})();
