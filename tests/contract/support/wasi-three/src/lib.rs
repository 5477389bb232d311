//! Functions that each use a part of WASI 0.3, by the bindings of the crate `wasip3`.

use futures::future::join_all;
use wasip3::filesystem::preopens::get_directories;
use wasip3::filesystem::types::{
    Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags,
};
use wasip3::http::types::{ErrorCode as HttpError, Fields, Method, Request, Response, Scheme};
use wasip3::{cli, clocks::monotonic_clock as clock, http, random};
use wit_bindgen::{FutureReader, StreamReader, spawn_local};

wit_bindgen::generate!({
    inline: r#"package test:three; world w {
      export add: func(a: u32, b: u32) -> u32;
      export arguments: async func() -> list<string>;
      export say: async func(text: string);
      export say-and-go: async func(text: string);
      export sleep: async func(ms: u32) -> u64;
      export order: async func(ms: list<u32>) -> list<u32>;
      export draw: async func() -> tuple<list<u8>, u64>;
      export read: async func(path: string) -> result<string, string>;
      export size-of: async func(path: string, piece: u32) -> result<u64, string>;
      export whole-size-of: func(path: string) -> result<u64, string>;
      export write: async func(path: string, text: string) -> result<_, string>;
      export append: async func(path: string, text: string) -> result<_, string>;
      export stat: async func(path: string) -> result<tuple<string, u64>, string>;
      export entries: async func(path: string) -> result<list<string>, string>;
      export rename: async func(old: string, new: string) -> result<_, string>;
      export make-folder: async func(path: string) -> result<_, string>;
      export remove: async func(path: string, folder: bool) -> result<_, string>;
      export fetch: async func(authority: string, path: string, body: string) -> result<tuple<u16, string, string>, string>;
      export fetch-all: async func(authority: string, paths: list<string>) -> list<string>;
      export count: async func(to: u64) -> stream<u8>;
      export size: async func(bytes: stream<u8>) -> u64;
      export later: async func(value: u32) -> future<string>;
      export twice: async func(value: future<u32>) -> u32;
      export whole: func(bytes: u64) -> list<u8>;
      export exit: async func(code: u8);
      export leave: async func(path: string);
      export hold: async func(ms: u32, path: string);
      export hold-request: async func(authority: string);
      export cling: async func();
      export drip: async func() -> stream<u8>;
    }"#,
});

struct Three;
export!(Three);
wasip3::cli::command::export!(Three);

fn told<T: std::fmt::Debug>(error: T) -> String {
    format!("{error:?}")
}

fn root() -> Descriptor {
    get_directories().into_iter().next().unwrap().0
}

async fn open(path: String, create: OpenFlags, flags: DescriptorFlags) -> Result<Descriptor, String> {
    root().open_at(PathFlags::SYMLINK_FOLLOW, path, create, flags).await.map_err(told)
}

fn streamed(text: String) -> StreamReader<u8> {
    let (mut writer, reader) = wit_stream::new();
    spawn_local(async move {
        writer.write_all(text.into_bytes()).await;
    });
    reader
}

async fn send(authority: &str, path: &str, body: Option<String>) -> Result<Response, HttpError> {
    let headers = Fields::from_list(&[("x-kind".to_string(), b"three".to_vec())]).unwrap();
    let (_, trailers) = wasip3::wit_future::new(|| Ok(None));
    let (request, _sent) = Request::new(headers, body.map(streamed), trailers, None);
    let _ = request.set_method(&Method::Post);
    let _ = request.set_scheme(Some(&Scheme::Http));
    let _ = request.set_authority(Some(authority));
    let _ = request.set_path_with_query(Some(path));
    http::client::send(request).await
}

async fn count(mut bytes: StreamReader<u8>, piece: usize) -> u64 {
    let mut size = 0;
    let mut buffer = Vec::with_capacity(piece);
    loop {
        let (status, read) = bytes.read(buffer).await;
        size += read.len() as u64;
        if !matches!(status, wit_bindgen::StreamResult::Complete(_)) {
            return size;
        }
        buffer = read;
        buffer.clear();
    }
}

async fn text_of(response: Response) -> String {
    let (_, done) = wasip3::wit_future::new(|| Ok(()));
    let (body, _trailers) = Response::consume_body(response, done);
    String::from_utf8(body.collect().await).unwrap()
}

/// Says when it is dropped, as what a task holds is when the task is canceled.
struct Held;
impl Drop for Held {
    fn drop(&mut self) {
        eprintln!("what it held is dropped");
    }
}

/// Holds on for ever when it is to be dropped.
struct Clinging;
impl Drop for Clinging {
    fn drop(&mut self) {
        loop {
            std::hint::black_box(());
        }
    }
}

/// Gives its arguments and its input back; `fail` as first argument makes it fail.
impl wasip3::exports::cli::run::Guest for Three {
    async fn run() -> Result<(), ()> {
        let arguments = cli::environment::get_arguments();
        let (input, done) = cli::stdin::read_via_stream();
        let input = String::from_utf8(input.collect().await).unwrap();
        done.await.unwrap();
        let text = format!("{} {input}", arguments[1..].join(","));
        cli::stdout::write_via_stream(streamed(text)).await.unwrap();
        match arguments.get(1).map(String::as_str) {
            Some("fail") => Err(()),
            _ => Ok(()),
        }
    }
}

impl Guest for Three {
    fn add(a: u32, b: u32) -> u32 {
        a + b
    }

    async fn arguments() -> Vec<String> {
        cli::environment::get_arguments()
    }

    async fn say(text: String) {
        cli::stdout::write_via_stream(streamed(text)).await.unwrap();
    }

    /// Returns without waiting for what it wrote.
    async fn say_and_go(text: String) {
        let _ = cli::stdout::write_via_stream(streamed(text));
    }

    async fn sleep(ms: u32) -> u64 {
        let before = clock::now();
        clock::wait_for(u64::from(ms) * 1_000_000).await;
        (clock::now() - before) / 1_000_000
    }

    /// In the order in which they wake.
    async fn order(ms: Vec<u32>) -> Vec<u32> {
        let woken = std::cell::RefCell::new(Vec::new());
        join_all(ms.iter().map(async |&each| {
            clock::wait_for(u64::from(each) * 1_000_000).await;
            woken.borrow_mut().push(each);
        }))
        .await;
        woken.into_inner()
    }

    async fn draw() -> (Vec<u8>, u64) {
        (random::random::get_random_bytes(16), random::random::get_random_u64())
    }

    async fn read(path: String) -> Result<String, String> {
        let file = open(path, OpenFlags::empty(), DescriptorFlags::READ).await?;
        let (bytes, done) = file.read_via_stream(0);
        let bytes = bytes.collect().await;
        done.await.map_err(told)?;
        String::from_utf8(bytes).map_err(told)
    }

    /// Reads a file piece by piece and keeps none of it.
    async fn size_of(path: String, piece: u32) -> Result<u64, String> {
        let file = open(path, OpenFlags::empty(), DescriptorFlags::READ).await?;
        let (bytes, done) = file.read_via_stream(0);
        let size = count(bytes, piece as usize).await;
        done.await.map_err(told)?;
        Ok(size)
    }

    /// The same file as one list of bytes, by WASI 0.2.
    fn whole_size_of(path: String) -> Result<u64, String> {
        Ok(std::fs::read(path).map_err(told)?.len() as u64)
    }

    async fn write(path: String, text: String) -> Result<(), String> {
        let create = OpenFlags::CREATE | OpenFlags::TRUNCATE;
        let file = open(path, create, DescriptorFlags::WRITE).await?;
        file.write_via_stream(streamed(text), 0).await.map_err(told)
    }

    async fn append(path: String, text: String) -> Result<(), String> {
        let file = open(path, OpenFlags::empty(), DescriptorFlags::WRITE).await?;
        file.append_via_stream(streamed(text)).await.map_err(told)
    }

    async fn stat(path: String) -> Result<(String, u64), String> {
        let found = root().stat_at(PathFlags::empty(), path).await.map_err(told)?;
        Ok((told(found.type_), found.size))
    }

    async fn entries(path: String) -> Result<Vec<String>, String> {
        let folder = open(path, OpenFlags::DIRECTORY, DescriptorFlags::READ).await?;
        let (entries, done) = folder.read_directory();
        let entries = entries.collect().await;
        done.await.map_err(told)?;
        let mut names: Vec<_> = entries.into_iter().map(|entry| entry.name).collect();
        names.sort();
        Ok(names)
    }

    async fn rename(old: String, new: String) -> Result<(), String> {
        root().rename_at(old, &root(), new).await.map_err(told)
    }

    async fn make_folder(path: String) -> Result<(), String> {
        root().create_directory_at(path).await.map_err(told)
    }

    async fn remove(path: String, folder: bool) -> Result<(), String> {
        let removed: Result<(), ErrorCode> = if folder {
            root().remove_directory_at(path).await
        } else {
            root().unlink_file_at(path).await
        };
        removed.map_err(told)
    }

    async fn fetch(authority: String, path: String, body: String) -> Result<(u16, String, String), String> {
        let response = send(&authority, &path, Some(body)).await.map_err(told)?;
        let status = response.get_status_code();
        let kind = response.get_headers().get("x-answer").concat();
        Ok((status, String::from_utf8(kind).unwrap(), text_of(response).await))
    }

    async fn fetch_all(authority: String, paths: Vec<String>) -> Vec<String> {
        join_all(paths.iter().map(async |path| {
            match send(&authority, path, None).await {
                Ok(response) => text_of(response).await,
                Err(error) => told(error),
            }
        }))
        .await
    }

    async fn count(to: u64) -> StreamReader<u8> {
        let (mut writer, reader) = wit_stream::new();
        spawn_local(async move {
            let mut next = 0;
            while next < to {
                let end = to.min(next + 65_536);
                let rest = writer.write_all((next..end).map(|each| each as u8).collect()).await;
                if !rest.is_empty() {
                    break;
                }
                next = end;
            }
        });
        reader
    }

    async fn size(bytes: StreamReader<u8>) -> u64 {
        count(bytes, 65_536).await
    }

    async fn later(value: u32) -> FutureReader<String> {
        let (writer, reader) = wit_future::new(String::new);
        spawn_local(async move {
            let _ = writer.write(format!("it was {value}")).await;
        });
        reader
    }

    async fn twice(value: FutureReader<u32>) -> u32 {
        2 * value.await

    }

    fn whole(bytes: u64) -> Vec<u8> {
        vec![7; bytes as usize]
    }

    /// Returns while a task of it writes on, and one waits for ever.
    async fn leave(path: String) {
        let flags = OpenFlags::CREATE | OpenFlags::TRUNCATE;
        let opened = open(path, flags, DescriptorFlags::WRITE).await;
        let (mut writer, bytes) = wit_stream::new();
        spawn_local(async move {
            if let Ok(file) = &opened {
                let _ = file.write_via_stream(bytes, 0);
                loop {
                    clock::wait_for(1_000_000).await;
                    writer.write_all(b"left".to_vec()).await;
                }
            }
        });
        spawn_local(std::future::pending::<()>());
    }

    /// Waits with a file half-written.
    async fn hold(ms: u32, path: String) {
        let _held = Held;
        let file = std::fs::File::create(path).and_then(|mut file| {
            std::io::Write::write_all(&mut file, b"half").map(|()| file)
        });
        clock::wait_for(u64::from(ms) * 1_000_000).await;
        drop(file);
    }

    async fn hold_request(authority: String) {
        let _held = Held;
        let _ = send(&authority, "/", None).await;
    }

    async fn cling() {
        let _clinging = Clinging;
        clock::wait_for(u64::MAX / 2).await;
    }

    /// A byte each millisecond, as long as somebody reads.
    async fn drip() -> StreamReader<u8> {
        let (mut writer, reader) = wit_stream::new();
        spawn_local(async move {
            while writer.write_all(vec![1]).await.is_empty() {
                clock::wait_for(1_000_000).await;
            }
            eprintln!("nobody reads any more");
        });
        reader
    }

    async fn exit(code: u8) {
        cli::exit::exit_with_code(code);
    }
}
